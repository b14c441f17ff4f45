// x, y and z together: eight results, each at the place of its logical block.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2;y=2;z=2>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-COUNT-8: st.global.b32
// CHECK-NOT: st.global
extern "C" __global__ void k(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * 32 + threadIdx.x] = block;
}
