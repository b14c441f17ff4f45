// A function that only computes is called once a replica; what it does need not be seen. One that reads a register, or
// memory, or meets other threads, is inlined.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: FileCheck %s --input-file=%t.s
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-thread-coarsen<factor=2>' 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: FileCheck %s --input-file=%t.s
// NONE-NOT: warning:

__device__ __noinline__ float half(float x) { return x / 2 + 1; }
__device__ __noinline__ float third(float x) { return half(x) / 3; }
__device__ __noinline__ float ofThread(float x) { return x * threadIdx.x; }
__device__ __noinline__ float ofMemory(const float *x, int i) { return x[i] * 3; }
__device__ __noinline__ float ofClock(float x) { return x * clock(); }

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// The same argument in both replicas: computed once.
// CHECK-LABEL: .entry _Z4oncePff(
// CHECK: call.uni
// CHECK-NOT: call.uni
// CHECK: ret;
__global__ void once(float *p, float x) { p[INDEX] = third(x); }

// CHECK-LABEL: .entry _Z4eachPf(
// CHECK: call.uni
// CHECK: call.uni
// CHECK-NOT: call.uni
// CHECK: ret;
__global__ void each(float *p) { p[INDEX] = half(p[INDEX]); }

// CHECK-LABEL: .entry _Z6othersPfPKf(
// CHECK-NOT: call.uni
// CHECK: ret;
__global__ void others(float *p, const float *q) { p[INDEX] = ofThread(1) + ofMemory(q, INDEX) + ofClock(2); }
