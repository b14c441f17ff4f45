// Constant memory is 64 KiB a module: a copy for which there may be no room is refused before ptxas does it.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-constants<symbol=large;kernel=k>,gpu-constants<symbol=small;kernel=k>' -S %t.bc -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=FITS
// CHECK: gpu-constants refused 'k' (TooLarge): with a copy of 'large' the module would have 80144 bytes of constant memory, and a device has 65536
// CHECK-NOT: refused
// FITS: @__gpuprune_initial_k_small =
__constant__ int large[10000] = {1, 2, 3};
__constant__ int small[32] = {1, 2, 3};
__constant__ int third[4] = {1, 2, 3};
extern "C" __global__ void k(int *out, int n) { out[n] = large[n] + small[n] + third[n]; }

// A contract that cannot be read is none to add to.
// RUN: sed 's/"gpuprune-unwritten-variables"="small"/"gpuprune-unwritten-variables"="a,,b"/' %t.ll > %t.wrong.ll
// RUN: %opt -passes='gpu-constants<symbol=third;kernel=k>' -disable-output %t.wrong.ll 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: refused 'k' (BadLaunchContract): {{.*}}gpuprune-unwritten-variables{{.*}}expected variables such as "table,other", each once
