// Threads that meet at barriers or exchange values take one path: the question is put to the whole block, by a barrier.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s
// CHECK-LABEL: .entry _Z5tiledPKfPfi
// CHECK: bar.red.and.pred
// CHECK: {{bra|@}}
// CHECK: ld.global
__global__ void tiled(const float *in, float *out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    tile[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    if (i < n)
      for (int j = 0; j < 64; j++)
        sum += tile[j] * in[i];
    __syncthreads();
  }
  if (i < n)
    out[i] = sum;
}
// A vote in place of a few instructions does not pay: they are run replica by replica.
// CHECK-LABEL: .entry _Z5smallPKfPfi
// CHECK-NOT: red.and
// CHECK: ret;
__global__ void small(const float *in, float *out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  out[i] = tile[63 - threadIdx.x];
}
