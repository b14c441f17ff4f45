; A guard on the global index has a fast path; threads chosen by their number in the block, and loops with barriers around
; such a choice, are run region by region.
; RUN: %opt -passes='gpu-thread-coarsen<factor=2>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@sums = internal addrspace(3) global [256 x i32] undef, align 4

; CHECK-LABEL: @guard(
; CHECK: br i1 %inside{{.*}}, label %{{.*}}, label %one.by.one, !prof
; CHECK: store i32 1
; CHECK-NEXT: store i32 1
; CHECK: %number = phi i32
define ptx_kernel void @guard(ptr %p, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %b, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %exit
work:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 1, ptr %at
  br label %exit
exit:
  ret void
}

; CHECK-LABEL: @reduce(
; CHECK-NOT: number
; CHECK: loop:
; CHECK: br i1 %in, label %add
; CHECK: br i1 %in.r1, label %add.r1
; CHECK: barrier.cta.sync.aligned.all
; CHECK-NOT: barrier
; CHECK: ret void
define ptx_kernel void @reduce(ptr %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr addrspace(3) @sums, i32 %t
  br label %loop
loop:
  %stride = phi i32 [ 128, %entry ], [ %next, %latch ]
  %in = icmp ult i32 %t, %stride
  br i1 %in, label %add, label %latch
add:
  %other = getelementptr i32, ptr addrspace(3) %mine, i32 %stride
  %v = load i32, ptr addrspace(3) %mine
  %w = load i32, ptr addrspace(3) %other
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = lshr i32 %stride, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
