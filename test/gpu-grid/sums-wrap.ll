; A thread may add up more than in the author's grid, and what did not wrap there may wrap then. An iteration's own
; arithmetic is what it was.
; RUN: %opt -passes='gpu-grid<blocks=2>' -S %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: loop:
; CHECK: %scaled = mul nsw i32 %i, 3
; CHECK: %more = add i32 %sum, %scaled
; CHECK: %next = add i32 %i, %step
; CHECK-LABEL: behind:
; CHECK: %times8 = shl i32 %total, 3
; CHECK: %low = trunc i32 %times8 to i16
define ptx_kernel void @adds(ptr %y, i32 %n) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %size
  %start = add i32 %first, %thread
  %step = mul i32 %blocks, %size
  %any = icmp slt i32 %start, %n
  br i1 %any, label %before, label %behind

before:
  br label %loop

loop:
  %i = phi i32 [ %start, %before ], [ %next, %loop ]
  %sum = phi i32 [ 0, %before ], [ %more, %loop ]
  %scaled = mul nsw i32 %i, 3
  %more = add nsw i32 %sum, %scaled
  %next = add nsw i32 %i, %step
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %behind

behind:
  %total = phi i32 [ 0, %entry ], [ %more, %loop ]
  %times8 = shl nuw nsw i32 %total, 3
  %low = trunc nsw i32 %times8 to i16
  %old = atomicrmw add ptr %y, i16 %low monotonic
  ret void
}

; How much there is to do is known from the second argument.
; CHECK: "gpuprune-grid-blocks"="2" "gpuprune-grid-bound"="1:s32:1*block"
