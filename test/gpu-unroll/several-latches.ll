; A loop with two latches gets one, and one whose latch is a switch gets another, before it is unrolled.
; RUN: %opt -passes='gpu-unroll<loop=0;factor=2>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @two_latches(
; CHECK-COUNT-2: store volatile
; CHECK-NOT: store volatile
; CHECK: llvm.loop
; CHECK-LABEL: define
define ptx_kernel void @two_latches(ptr %p, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  br i1 %c, label %one, label %two
one:
  %x = icmp ult i32 %next, %n
  br i1 %x, label %loop, label %exit, !llvm.loop !0
two:
  %y = icmp ult i32 %next, 100
  br i1 %y, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK: @switch_latch(
; CHECK-COUNT-2: store volatile
; CHECK-NOT: store volatile
; CHECK: llvm.loop
define ptx_kernel void @switch_latch(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %kind = srem i32 %next, %n
  switch i32 %kind, label %loop [ i32 0, label %exit
                                  i32 7, label %other ], !llvm.loop !2
exit:
  ret void
other:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 0}
!2 = distinct !{!2, !1}
