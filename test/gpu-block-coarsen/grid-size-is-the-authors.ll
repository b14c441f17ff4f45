; gridDim of a coarsened dimension reads as the grid the author launches, that of another is left alone.
; RUN: %opt -passes='gpu-block-coarsen<x=4>' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
; CHECK-LABEL: @k(
; CHECK: %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK-NEXT: %grid.size = mul nuw nsw i32 %gx, 4
; CHECK-NEXT: %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; CHECK-NEXT: %n = mul i32 %grid.size, %gy
; CHECK-NEXT: store i32 %n, ptr %p
; CHECK-NEXT: ret void
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %n = mul i32 %gx, %gy
  store i32 %n, ptr %p
  ret void
}
