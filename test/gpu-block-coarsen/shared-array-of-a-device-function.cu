// A device function's static shared array is privatised in the kernel that was coarsened, and left to the other.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=first>,verify' -S %t.bc | FileCheck %s
// CHECK-DAG: @[[OLD:.*Buffer]] = internal addrspace(3) global [64 x float]
// CHECK-DAG: @[[NEW:.*Buffer.coarse]] = internal addrspace(3) global [2 x [64 x float]]
// CHECK-LABEL: define {{.*}}@first(
// CHECK-NOT: @[[OLD]]{{[^.]}}
// CHECK: @[[NEW]]
// CHECK-LABEL: define {{.*}}@second(
// CHECK-NOT: @[[NEW]]
// CHECK: @[[OLD]]
__device__ float reversed(float x) {
  __shared__ float Buffer[64];
  Buffer[threadIdx.x] = x;
  __syncthreads();
  return Buffer[63 - threadIdx.x];
}
extern "C" __global__ void first(const float *a, float *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = reversed(a[i]);
}
extern "C" __global__ void second(const float *a, float *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = reversed(a[i]);
}
