; What cannot be placed is refused by name, and the kernel's code stays as it was.
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-registers<spill=1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BOUND
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-registers<threads=1024;spill=13>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LARGE
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-registers<spill=4;spill-to=local>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOTHING
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-registers<threads=launch>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LAUNCH
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-thread-coarsen<dim=x;factor=2>,gpu-registers<threads=33>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=CONTRACT
; RUN: %opt -passes='default<O3>' -gpuprune-pipeline='gpu-registers<smem-spilling>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; BOUND: warning: {{.*}}gpu-registers refused 'k' (MissingThreadBound): spill-to=shared needs a kernel with __launch_bounds__(threads), or threads=
; LARGE: warning: {{.*}}gpu-registers refused 'k' (TooLarge): 13 words for each of 1024 threads make 53248 bytes of shared memory; a block has 49152
; NOTHING: warning: {{.*}}gpu-registers refused 'k' (NothingToSpill): no value lives for 32 instructions per access
; LAUNCH: warning: {{.*}}gpu-registers refused 'k' (MissingThreadBound): threads=launch is known only where a workload says how the kernel is launched
; CONTRACT: warning: {{.*}}gpu-registers refused 'k' (BadLaunchContract): {{.*}}block.x = 33 is not a multiple of 2
; OLD: warning: {{.*}}gpu-registers refused 'k' (NoSharedSpilling): ptxas spills to shared memory from sm_75 on
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %a) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_70" }
