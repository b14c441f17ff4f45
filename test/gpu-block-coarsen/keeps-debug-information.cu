// A coarsened kernel still has its subprogram, and its instructions their lines.
// RUN: %clang_device -gline-tables-only -S -emit-llvm %s -o %t.ll %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>'
// RUN: FileCheck %s --input-file=%t.ll
// CHECK: define {{.*}}ptx_kernel void @_Z1kPfi({{.*}}!dbg
// CHECK-COUNT-2: store float {{.*}}!dbg
// CHECK: !DILocation(line: [[@LINE+4]]
__global__ void k(float *a, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    a[i] = 1;
}
