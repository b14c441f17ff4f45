; What is computed ahead carries no poison-generating flags, and loads made ahead are in no noalias scope; in the loop
; both stay.
; RUN: %opt -passes='gpu-prefetch<loop=0;distance=2>,verify' -S %s | FileCheck %s
; CHECK: entry:
; CHECK-NOT: {{nuw|nsw|inbounds}}
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 4, !tbaa ![[#]]{{$}}
; CHECK: %next.ahead = add i32 0, 1
; CHECK: br i1
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 4, !tbaa ![[#]]{{$}}
; CHECK: loop:
; CHECK: %next.ahead{{[0-9]+}} = add i32 %{{[0-9]+}}, 1
; CHECK: br i1
; CHECK-NOT: {{nuw|nsw|inbounds}}
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 4, !tbaa ![[#]]{{$}}
; CHECK: store i32 {{.*}}, !noalias
; CHECK: %next = add nuw nsw i32 %i, 1
; CHECK: ret void
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.experimental.noalias.scope.decl(metadata)
define ptx_kernel void @k(ptr addrspace(1) noalias %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %twice = shl nuw nsw i32 %i, 1
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %twice
  %v = load i32, ptr addrspace(1) %at, align 4, !alias.scope !2, !tbaa !5
  store i32 %v, ptr addrspace(1) %q, !noalias !2
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
!2 = !{!3}
!3 = distinct !{!3, !4, !"callee: %p"}
!4 = distinct !{!4, !"callee"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7}
!7 = !{!"char"}
