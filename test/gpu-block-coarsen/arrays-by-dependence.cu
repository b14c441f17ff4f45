// A shared array is privatised only for the dimensions its contents depend on; a barrier is never replicated.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;y=3>,verify' -S %t.bc | FileCheck %s --check-prefixes=CHECK,BLOCKED
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;y=3;shared=interleaved>,verify' -S %t.bc | FileCheck %s --check-prefixes=CHECK,INTER
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2;y=3;shared=interleaved>'
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-DAG: @{{.*}}Neither = internal addrspace(3) global [64 x float]
// BLOCKED-DAG: @{{.*}}OnX.coarse = internal addrspace(3) global [2 x [64 x float]]
// BLOCKED-DAG: @{{.*}}OnY.coarse = internal addrspace(3) global [3 x [64 x float]]
// BLOCKED-DAG: @{{.*}}OnBoth.coarse.coarse = internal addrspace(3) global [2 x [3 x [64 x float]]]
// INTER-DAG: @{{.*}}OnX.coarse = internal addrspace(3) global [64 x [2 x float]] undef, align 16
// INTER-DAG: @{{.*}}OnY.coarse = internal addrspace(3) global [64 x [3 x float]] undef, align 16
// INTER-DAG: @{{.*}}OnBoth.coarse.coarse = internal addrspace(3) global [64 x [3 x [2 x float]]] undef, align 16
// CHECK-LABEL: define {{.*}}@k(
// CHECK-COUNT-1: barrier
// CHECK-NOT: barrier
// CHECK: ret void
extern "C" __global__ void k(const float *a, float *out) {
  __shared__ float Neither[64], OnX[64], OnY[64], OnBoth[64];
  int t = threadIdx.x;
  Neither[t] = a[t];
  OnX[t] = a[blockIdx.x * 64 + t];
  OnY[t] = a[blockIdx.y * 64 + t];
  OnBoth[t] = a[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + t];
  __syncthreads();
  int o = 63 - t;
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + t] = Neither[o] + OnX[o] + OnY[o] + OnBoth[o];
}
