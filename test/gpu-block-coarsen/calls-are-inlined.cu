// What a function does has to be seen, so that it is inlined even if it is __noinline__; one that calls itself cannot be.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: FileCheck %s --input-file=%t.s
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=2>' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: FileCheck %s --input-file=%t.s
// REFUSED-NOT: warning:
// REFUSED: warning: {{.*}}refused '_Z9recursivePi' (Call): a call that was not inlined
// REFUSED-NOT: warning:

__device__ __noinline__ float inner(const float *p, int i) { return p[i] * 2; }
__device__ __noinline__ void outer(float *p, int i) { p[i] = inner(p, i) + inner(p, i + 1); }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// CHECK-LABEL: .entry _Z6calledPf
// CHECK-NOT: call.uni
// CHECK: ret;
__global__ void called(float *p) { outer(p, 3 * (blockIdx.x * blockDim.x + threadIdx.x)); }

__global__ void recursive(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = fibonacci(threadIdx.x + blockIdx.x); }
