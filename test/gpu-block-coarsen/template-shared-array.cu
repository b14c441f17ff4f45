// The author's shared array does not stay beside its copies, not even in a template, whose statics may be merged by a linker.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-COUNT-1: .shared .align 4 .b8 {{.*}}[512]
// CHECK-NOT: .shared .align
template <class T> __global__ void reverse(const T *a, T *out) {
  __shared__ T Tile[64];
  int i = blockIdx.x * 64;
  Tile[threadIdx.x] = a[i + threadIdx.x];
  __syncthreads();
  out[i + threadIdx.x] = Tile[63 - threadIdx.x];
}
template __global__ void reverse<float>(const float *, float *);
