; Several coarsenings with grid=any: one parameter a dimension, in the order in which they came; a dimension that is coarsened
; twice is rounded up in both, and one that is so only in one of them is refused.
; RUN: %opt -passes='gpu-block-coarsen<y=2;grid=any>,gpu-block-coarsen<x=4;grid=any>,verify' -S %s | FileCheck %s --check-prefix=OTHER
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any>,gpu-block-coarsen<x=3;grid=any>,verify' -S %s | FileCheck %s --check-prefix=TWICE
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any>,gpu-block-coarsen<y=3>,verify' -S %s | FileCheck %s --check-prefix=MIXED
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any>,gpu-block-coarsen<x=3>,verify' -S %s 2>&1 | FileCheck %s --check-prefix=EXACT
; RUN: %opt -passes='gpu-block-coarsen<x=2>,gpu-block-coarsen<x=3;grid=any>,verify' -S %s 2>&1 | FileCheck %s --check-prefix=ANY
; RUN: %opt -passes='gpu-block-coarsen<x=2;grid=any>,gpu-thread-coarsen<factor=2>,verify' -S %s | FileCheck %s --check-prefix=THREADS
; RUN: %opt -passes='gpu-thread-coarsen<factor=2>,gpu-block-coarsen<x=2;grid=any>,verify' -S %s | FileCheck %s --check-prefix=THREADS
; OTHER: define ptx_kernel void @k(ptr %p, i32 %grid.y, i32 %grid.x)
; OTHER: "gpuprune-grid-divisor"="4,2,1" "gpuprune-hidden-parameters"="grid.y,grid.x"
; The second one's grid is the author's in pairs, rounded up.
; TWICE: define ptx_kernel void @k(ptr %p, i32 %grid.x)
; TWICE: %grid.whole = udiv i32 %grid.x, 2
; TWICE: %grid.size = add nuw nsw i32 %grid.whole,
; TWICE: %{{whole.blocks.*}} = udiv i32 %grid.size, 3
; TWICE: "gpuprune-grid-divisor"="6,1,1" "gpuprune-hidden-parameters"="grid.x"
; MIXED: define ptx_kernel void @k(ptr %p, i32 %grid.x)
; MIXED: "gpuprune-grid-divisor"="2,3,1" "gpuprune-hidden-parameters"="grid.x"
; EXACT: refused 'k' (BadLaunchContract): {{.*}}the grid is coarsened in x with grid=any already, and all factors of a dimension have to be the same in that; say grid=any here, too
; EXACT: "gpuprune-grid-divisor"="2,1,1" "gpuprune-hidden-parameters"="grid.x"
; ANY: refused 'k' (BadLaunchContract): {{.*}}the grid is coarsened in x with grid=divisible already, {{.*}}; say grid=divisible here, too
; ANY: define ptx_kernel void @k(ptr %p) #
; THREADS: define ptx_kernel void @k(ptr %p, i32 %grid.x)
; THREADS: "gpuprune-block-divisor"="2,1,1" "gpuprune-grid-divisor"="2,1,1" "gpuprune-hidden-parameters"="grid.x"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %row = mul i32 %y, %g
  %i = add i32 %row, %x
  %j = add i32 %i, %t
  %at = getelementptr i32, ptr %p, i32 %j
  store i32 1, ptr %at
  ret void
}
