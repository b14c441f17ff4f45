// A refusal is one warning at the line that stands in the way, also where missed remarks are asked for; what was done is a
// remark at the kernel's line. Asking for them changes nothing in the code.
// RUN: %clang_device -S %s -o %t.s -Rpass-missed=gpu- -Rpass=gpu- %with_plugin \
// RUN:   -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='{{remark|warning}}:'
// RUN: %clang_device -S %s -o %t.quiet.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=QUIET --implicit-check-not=remark
// RUN: diff %t.s %t.quiet.s
__global__ void guarded(float *a, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  // CHECK: source-line.cu:[[@LINE+3]]:30: warning: gpu-block-coarsen refused '_Z7guardedPfi' (Volatile): volatile accesses may wait for another block: store volatile float {{.*}} [-Wpass-failed=gpu-block-coarsen]
  // QUIET: warning: gpu-block-coarsen refused '_Z7guardedPfi' (Volatile)
  if (i < n)
    ((volatile float *)a)[i] = 1;
}
// CHECK: source-line.cu:[[@LINE+1]]:{{[0-9]+}}: remark: a block does the work of 2x1x1 [-Rpass=gpu-block-coarsen]
__global__ void unguarded(float *a) { a[blockIdx.x * 64 + threadIdx.x] += 1; }
