; A loop with two latches gets one, and its loads go ahead.
; RUN: %opt -passes='gpu-prefetch<loop=0>,verify' -S %s | FileCheck %s
; CHECK-LABEL: @two_latches(
; CHECK: load i32{{.*}}
; CHECK: br label %loop
; CHECK: loop:
; CHECK: phi i32
; CHECK: [[VALUE:%[^ ]+]] = phi i32 [ {{.*}} ], [ {{.*}} ]
; CHECK: load i32
; CHECK-NOT: load i32
; CHECK: ret void
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @two_latches(ptr addrspace(1) noalias readonly %p, ptr addrspace(1) noalias %out, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  %s = phi i32 [ 0, %entry ], [ %one.s, %one ], [ %two.s, %two ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %choice, label %exit
choice:
  br i1 %c, label %one, label %two
one:
  %one.s = add i32 %s, %v
  br label %loop, !llvm.loop !0
two:
  %two.s = sub i32 %s, %v
  br label %loop, !llvm.loop !0
exit:
  store i32 %s, ptr addrspace(1) %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
