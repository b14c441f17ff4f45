// The loads of all replicas of a grid-stride loop stand together, before the first store.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=2>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s
// RUN: %clang_device -S %s -o %t.blocks.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>'
// RUN: FileCheck %s --input-file=%t.blocks.s
// CHECK-LABEL: .entry _Z5saxpyifPKfPf
// CHECK: and.pred
// CHECK: bra
// CHECK: ld.global
// CHECK-NOT: st.global
// CHECK: ld.global
// CHECK-NOT: st.global
// CHECK: ld.global
// CHECK-NOT: st.global
// CHECK: ld.global
// CHECK: st.global
// CHECK: st.global
// CHECK: and.pred
// CHECK: bra
__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}
