; A shared array with a size that another file defines is none that the launch gives: its copies are this kernel's own, since
; no function of that file runs in it.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,verify' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: @tile.coarse = internal addrspace(3) global [2 x [8 x i32]] undef, align 4
@tile = external addrspace(3) global [8 x i32], align 4
; CHECK: define ptx_kernel void @k(i32 %t) #
; CHECK: attributes #{{.*}} = { "gpuprune-grid-divisor"="2,1,1" }
define ptx_kernel void @k(i32 %t) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %b, ptr addrspace(3) %at
  ret void
}
