// Consecutive threads in one, buffers aligned: the neighbours are read and written as one 128-bit access. Without either
// promise they are not.
// RUN: %clang_device -S %s -o %t.wide.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=4;stride=consecutive;align=16>'
// RUN: FileCheck %s --input-file=%t.wide.s
// RUN: %ptxas %t.wide.s
// RUN: %clang_device -S %s -o %t.narrow.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=4;stride=consecutive>'
// RUN: FileCheck %s --input-file=%t.narrow.s --check-prefix=NARROW
// RUN: %clang_device -S %s -o %t.strided.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=4;align=16>'
// RUN: FileCheck %s --input-file=%t.strided.s --check-prefix=NARROW
// RUN: %clang_device -S -emit-llvm %s -o %t.ll %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=4;stride=consecutive;align=16>'
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CONTRACT
// CHECK: .param .u64 .ptr .align 16
// CHECK: ld.global.v4
// CHECK: ld.global.v4
// CHECK: st.global.v4
// NARROW-NOT: global.v
// CONTRACT: "gpuprune-block-divisor"="4,1,1" "gpuprune-pointer-alignment"="16"
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
