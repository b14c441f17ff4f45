; Nothing odd in a kernel hangs or crashes the pass: no instructions, unreachable code that uses itself, endless and
; irreducible loops, switches, vectors of pointers, other functions.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s 2>&1 | FileCheck %s --implicit-check-not=refused
; RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,gpu-registers<max=64>,verify' -S %s 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not=refused
; CHECK-LABEL: @empty(
; CHECK-NOT: call
; CHECK: ret void
; CHECK-LABEL: @unreachable_code(
; CHECK-NOT: call
; CHECK: ret void
; CHECK-LABEL: @endless(
; CHECK: %v.r1 = add
; CHECK: br label %loop
; CHECK-LABEL: @irreducible(
; CHECK: %b.r1 = phi i32
; CHECK-LABEL: @switches(
; CHECK-COUNT-2: phi i32
; CHECK-LABEL: @pointer_vectors(
; CHECK-COUNT-2: getelementptr i32, ptr {{.*}}, <2 x i32>
; CHECK-LABEL: @not_a_kernel(
; CHECK-NEXT: %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-NEXT: ret i32 %b
; ALL: "gpuprune-grid-divisor"="2,1,1"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @empty() {
  ret void
}
define ptx_kernel void @unreachable_code(ptr %p) {
  ret void
dead:
  %q = getelementptr i8, ptr %q, i64 1
  %v = add i32 %v, 1
  %i = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %i, ptr %q
  br label %dead
}
define ptx_kernel void @endless(ptr %p) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %a = phi i32 [ %x, %entry ], [ %v, %loop ]
  %v = add i32 %a, 1
  %at = getelementptr i32, ptr %p, i32 %v
  store i32 1, ptr %at
  br label %loop
}
define ptx_kernel void @irreducible(ptr %p, i1 %c, i1 %d) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br i1 %c, label %one, label %two
one:
  %a = phi i32 [ 0, %entry ], [ %b, %two ]
  br i1 %d, label %two, label %exit
two:
  %b = phi i32 [ %x, %entry ], [ %a, %one ]
  br label %one
exit:
  %at = getelementptr i32, ptr %p, i32 %a
  store i32 1, ptr %at
  ret void
}
define ptx_kernel void @switches(ptr %p, i32 %c) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  switch i32 %c, label %two [ i32 1, label %one
                              i32 2, label %one ]
one:
  br label %two
two:
  %v = phi i32 [ %x, %entry ], [ 7, %one ]
  %at = getelementptr i32, ptr %p, i32 %x
  store i32 %v, ptr %at
  ret void
}
define ptx_kernel void @pointer_vectors(ptr %p, <2 x i32> %i) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %q = getelementptr i32, ptr %p, i32 %x
  %both = getelementptr i32, ptr %q, <2 x i32> %i
  %second = extractelement <2 x ptr> %both, i32 1
  store i32 %x, ptr %second
  ret void
}
define i32 @not_a_kernel() {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %b
}
