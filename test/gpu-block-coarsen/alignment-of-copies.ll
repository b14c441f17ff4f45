; An access that knows more of its address than a copy of it has keeps only what holds for the copy.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s --check-prefix=BLOCKED
; RUN: %opt -passes='gpu-block-coarsen<x=2;shared=interleaved>,verify' -S %s | FileCheck %s --check-prefix=INTERLEAVED
; BLOCKED: @tile.coarse = internal addrspace(3) global [64 x i8] undef, align 16
; BLOCKED: store float %v, ptr addrspace(3) @tile.coarse, align 16
; BLOCKED: getelementptr inbounds i8, ptr addrspace(3) @tile.coarse, i64 32
; BLOCKED-NEXT: store float %v.r1, ptr addrspace(3) %{{.*}}, align 16
; INTERLEAVED: store float %v, ptr addrspace(3) @tile.coarse, align 16
; INTERLEAVED: getelementptr inbounds i8, ptr addrspace(3) @tile.coarse, i64 4
; INTERLEAVED-NEXT: store float %v.r1, ptr addrspace(3) %{{.*}}, align 4
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [5 x float] undef, align 16
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = uitofp i32 %x to float
  store float %v, ptr addrspace(3) @tile, align 16
  ret void
}
