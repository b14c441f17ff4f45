; The grid divisor is recorded on the kernel; passes multiply up, and a product no grid has is refused.
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=3>' -S %s | FileCheck %s --check-prefix=ONE
; RUN: %opt -passes='gpu-block-coarsen<x=2;y=3>,gpu-block-coarsen<x=2;z=5>' -S %s | FileCheck %s --check-prefix=TWO
; RUN: %opt -passes='gpu-block-coarsen<x=1>' -S %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -passes='gpu-block-coarsen<x=20000>,gpu-block-coarsen<x=20000>,gpu-block-coarsen<x=20000>' -S %s 2>&1 | FileCheck %s --check-prefix=OVERFLOW
; ONE: "gpuprune-grid-divisor"="2,3,1"
; TWO: "gpuprune-grid-divisor"="4,3,5"
; NONE-NOT: gpuprune-grid-divisor
; OVERFLOW: refused 'k' (BadLaunchContract): {{.*}}grid divisor 400000000 x 20000
; OVERFLOW: "gpuprune-grid-divisor"="400000000,1,1"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
