; What comes behind the end of the pipeline does not take the arrays for the author's dynamic shared memory.
; RUN: %opt -passes='gpu-block-coarsen<y=2>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: gpu-block-coarsen refused 'k' (BadLaunchContract): its arrays have been moved to dynamic shared memory
target triple = "nvptx64-nvidia-cuda"
@k_shared = external addrspace(3) global [0 x i8], align 16
define ptx_kernel void @k(i64 %i) "gpuprune-grid-divisor"="2,1,1" "gpuprune-shared-arrays"="65536" {
  %p = getelementptr i32, ptr addrspace(3) @k_shared, i64 %i
  store i32 0, ptr addrspace(3) %p
  ret void
}
