// A barrier does not stand in the way where the factor divides the trip count.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=4>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-COUNT-4: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret
extern "C" __global__ void k(float *a) {
  for (int i = 0; i < 64; ++i) {
    a[threadIdx.x] += a[threadIdx.x ^ 1];
    __syncthreads();
  }
}
