// A loop that fetches the numbers of its work from a counter ends by what it adds itself; others may wait.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -disable-output -pass-remarks=gpu-block-coarsen %t.bc 2>&1 | FileCheck %s --implicit-check-not=refused

// CHECK: gpu-block-coarsen refused 'looks' (InterBlockWait)
extern "C" __global__ void looks(int *flag, float *out) {
  while (atomicAdd(flag, 0) < 8)
    ;
  out[blockIdx.x] = 1;
}

// CHECK: gpu-block-coarsen refused 'takes_back' (InterBlockWait)
extern "C" __global__ void takes_back(int *next, float *out, int n) {
  for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1)) {
    out[i] = blockIdx.x;
    atomicSub(next, 1);
  }
}

// CHECK: gpu-block-coarsen refused 'exactly' (InterBlockWait)
extern "C" __global__ void exactly(int *next, float *out, int n) {
  for (int i = atomicAdd(next, 2); i != n; i = atomicAdd(next, 2))
    out[i & 63] = blockIdx.x;
}

// CHECK: gpu-block-coarsen refused 'sometimes' (InterBlockWait)
extern "C" __global__ void sometimes(int *next, float *out, int n) {
  for (int i = 0, k = 0; i < n; ++k)
    if (k & 1) {
      i = atomicAdd(next, 1);
      out[k] = i;
    }
}

// CHECK: gpu-block-coarsen refused 'by_what_is_there' (InterBlockWait)
extern "C" __global__ void by_what_is_there(int *next, const int *__restrict__ queue, float *out) {
  while (true) {
    int i = queue[atomicAdd(next, 1)];
    if (i < 0)
      break;
    out[i] = blockIdx.x;
  }
}

// CHECK-DAG: a block does the work of 2x1x1
extern "C" __global__ void fetches(int *next, float *out, int n) {
  for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1))
    out[i] = i;
}

// CHECK-DAG: a block does the work of 2x1x1
extern "C" __global__ void appends(const float *__restrict__ in, int *count, unsigned *out, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > 0) {
      int slot = atomicAdd(count, 1);
      if (slot < 64)
        out[slot] = i;
    }
}
