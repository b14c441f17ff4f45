; Each replica is a logical block of the author's launch, so what a flag promised of that block still holds; the addresses
; that interleaving scales keep only what follows from staying inside the array.
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,verify' -S %s | FileCheck %s
; CHECK: %i = mul nuw nsw i32 %block.first, 64
; CHECK-NEXT: %i.r1 = mul nuw nsw i32 %block.replica, 64
; CHECK: %in = getelementptr inbounds nuw [2 x float], ptr addrspace(3) @tile.coarse, i64 %t
; CHECK: %maybe = getelementptr [2 x i8], ptr addrspace(3) @tile.coarse, i64 %t
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @k(ptr %p, i64 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = mul nuw nsw i32 %b, 64
  %f = uitofp i32 %i to float
  %in = getelementptr inbounds nuw float, ptr addrspace(3) @tile, i64 %t
  store float %f, ptr addrspace(3) %in
  %maybe = getelementptr nuw i8, ptr addrspace(3) @tile, i64 %t
  store float %f, ptr addrspace(3) %maybe
  ret void
}
