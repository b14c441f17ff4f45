// A loop that looks again at plain memory behind a fence waits for another block if the kernel writes what it looks at.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -disable-output -pass-remarks=gpu-block-coarsen %t.bc 2>&1 | FileCheck %s --implicit-check-not=refused
// RUN: %opt -passes='gpu-prepare,gpu-thread-coarsen<dim=x;factor=2>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: gpu-thread-coarsen refused 'chain' (InterBlockWait)

// CHECK: gpu-block-coarsen refused 'chain' (InterBlockWait): a loop goes on until this finds what another thread may have yet to write, {{.*}}load i32
extern "C" __global__ void chain(int *flag, int *sum, const int *a) {
  int b = blockIdx.x, before = 0;
  if (b > 0) {
    while (flag[b - 1] == 0)
      __threadfence();
    before = sum[b - 1];
  }
  sum[b] = before + a[b];
  __threadfence();
  flag[b] = 1;
}

// CHECK: gpu-block-coarsen refused 'set_by_atomics' (InterBlockWait)
extern "C" __global__ void set_by_atomics(unsigned *flag, float *out) {
  while (*flag < blockIdx.x)
    __threadfence_system();
  out[blockIdx.x] = 1;
  atomicAdd(flag, 1);
}

struct Lists {
  int *flag;
  float *out;
};

// CHECK: gpu-block-coarsen refused 'from_memory' (InterBlockWait)
extern "C" __global__ void from_memory(const Lists *lists) {
  while (lists->flag[blockIdx.x] == 0)
    __threadfence();
  lists->flag[blockIdx.x + 1] = 1;
}

__device__ int global_flag;

// CHECK: gpu-block-coarsen refused 'through_control' (InterBlockWait)
extern "C" __global__ void through_control(float *out) {
  for (int i = 0; i < 1 << 30; ++i) {
    __threadfence();
    if (global_flag == blockIdx.x)
      break;
  }
  out[blockIdx.x] = 1;
  global_flag = blockIdx.x + 1;
}

// What nobody writes is no flag.
// CHECK-DAG: a block does the work of 2x1x1
extern "C" __global__ void walks(const int *next, int *out) {
  for (int at = blockIdx.x; at >= 0; at = next[at]) {
    out[at] = 1;
    __threadfence();
  }
}

// Whether a loop goes on does not follow from what it computes.
// CHECK-DAG: a block does the work of 2x1x1
extern "C" __global__ void counts(int *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[blockIdx.x * n + i] += i;
    __threadfence();
  }
}

// Without a fence the load tells once and for all what is there: other blocks write it in no order.
// CHECK-DAG: a block does the work of 2x1x1
extern "C" __global__ void relaxes(int *value, int n) {
  int i = blockIdx.x;
  while (value[i] < n)
    value[i] += 1 + value[i] / 2;
  __threadfence();
}
