// The address of a shared array that lies in memory is that of one copy for all replicas.
// RUN: %clang_device -S %s -o %t.s %with_plugin -Rpass-missed=gpu- -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' 2>&1 | FileCheck %s
// CHECK: gpu-block-coarsen refused '_Z5tablePKfPf' (PointerEscapes): the address of '{{.*}}' is in the initial value of a variable
__global__ void table(const float *in, float *out) {
  __shared__ float a[128], b[128];
  int t = threadIdx.x, g = blockIdx.x * 128 + t;
  a[t] = in[g];
  b[t] = 2 * in[g];
  __syncthreads();
  const float *const p[2] = {a, b};
  float x = 0;
  for (int j = 0; j < 2; ++j)
    x = x * 3 + p[j][127 - t];
  out[g] = x;
}
