; Behind gpu-block-coarsen and gpu-block-swizzle the loop is over what these launch; in front of them there would be no
; grid left that they could divide or reorder.
; RUN: %opt -passes='gpu-block-coarsen<x=2>,gpu-block-swizzle<group=4>,gpu-persistent<blocks=1>,gpu-thread-coarsen<dim=x;factor=2>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='gpu-persistent<blocks=1>,gpu-block-coarsen<x=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=COARSEN
; RUN: %opt -passes='gpu-persistent<blocks=1>,gpu-block-swizzle<group=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SWIZZLE
; RUN: %opt -passes='gpu-persistent<blocks=1>,gpu-persistent<blocks=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE
; COARSEN: gpu-block-coarsen refused 'k' (BadLaunchContract): its blocks do several of the author's already, as many as the device decides; write gpu-persistent behind it
; SWIZZLE: gpu-block-swizzle refused 'k' (BadLaunchContract): its blocks are launched in x alone and do all others; write gpu-persistent behind this pass
; TWICE: gpu-persistent refused 'k' (BadLaunchContract)
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @k(ptr %p, i32 %blocks.x, i32 %blocks.y, i32 %blocks.z) #[[ATTRIBUTES:[0-9]+]]
; CHECK: %digit = phi i32
; CHECK: %band = sub i32 %digit
; CHECK: br i1 %more
; CHECK: attributes #[[ATTRIBUTES]] = { "gpuprune-block-divisor"="2,1,1" "gpuprune-grid-divisor"="2,1,1" "gpuprune-hidden-parameters"="blocks.x,blocks.y,blocks.z" "gpuprune-persistent-blocks"="1" }
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %y, 4096
  %column = mul i32 %x, 64
  %before = add i32 %row, %column
  %i = add i32 %before, %t
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  ret void
}
