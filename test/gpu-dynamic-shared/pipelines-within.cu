// A pipeline of LLVM's within a variant leaves the arrays where the passes behind it look for them.
// RUN: %clang_device -emit-llvm -S %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>,default<O3>,gpu-block-coarsen<y=2>' | FileCheck %s
// CHECK-NOT: shared-copies
// CHECK: "gpuprune-grid-divisor"="2,2,1"{{.*}}"gpuprune-shared-arrays"="131072"
// RUN: %gpuprune metrics %s --block=128 --pipeline='gpu-block-coarsen<x=4>' --format=json | FileCheck %s --check-prefix=METRICS
// METRICS: "blocks_per_sm": 1
// METRICS: "dynamic_shared_bytes": 131072
__global__ void turn(const float *in, float *out, int rows) {
  __shared__ float tile[8192];
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int i = threadIdx.x; i < 8192; i += blockDim.x)
    tile[i] = in[block * 8192 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 8192; i += blockDim.x)
    out[block * 8192 + i] = tile[8191 - i];
}
