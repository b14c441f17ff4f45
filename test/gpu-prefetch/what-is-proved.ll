; Loads that may go ahead although something is written or waited for: by noalias, by invariance, by address space, by
; type, and because what is written behind the loop cannot be ordered by a barrier in it.
; RUN: %opt -passes='gpu-prefetch<loop=0>,verify' -S %s 2>&1 | FileCheck %s
; CHECK-NOT: refused
; CHECK-LABEL: define ptx_kernel void @restrict(
; CHECK: %v.ahead = load
; CHECK-LABEL: define ptx_kernel void @invariant(
; CHECK: %v.ahead = load i32, {{.*}}, !invariant.load
; CHECK-LABEL: define ptx_kernel void @spaces(
; CHECK: %v.ahead = load
; CHECK-LABEL: define ptx_kernel void @types(
; CHECK: %v.ahead = load
; CHECK-LABEL: define ptx_kernel void @behind(
; CHECK: %v.ahead = load
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @restrict(ptr noalias %p, ptr %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %t = atomicrmw add ptr %q, i32 %v seq_cst
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @invariant(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at, !invariant.load !2
  store i32 %v, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @spaces(ptr addrspace(1) %p, ptr addrspace(3) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(3) %q
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @types(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at, !tbaa !3
  store float 1.0, ptr addrspace(1) %q, !tbaa !5
  store i32 %v, ptr addrspace(3) null
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @behind(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(3) null
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  store i32 1, ptr addrspace(1) %q
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
!2 = !{}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !7}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7}
!7 = !{!"char"}
