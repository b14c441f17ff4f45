// What may see the order of blocks, or which block it is by other means than the index registers, is refused by
// name, and the kernel stays as it was.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-block-swizzle<group=8>' -S %t.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err

// CHECK-DAG: gpu-block-swizzle refused 'waits' (InterBlockWait)
extern "C" __global__ void waits(int *flag, int *out) {
  while (atomicAdd(&flag[blockIdx.x], 0) == 0) {
  }
  out[blockIdx.x] = 1;
  atomicExch(&flag[blockIdx.x + 1], 1);
}

// CHECK-DAG: gpu-block-swizzle refused 'polls' (Volatile)
extern "C" __global__ void polls(volatile int *flag, int *out) { out[blockIdx.x] = *flag; }

// CHECK-DAG: gpu-block-swizzle refused 'assembly' (InlineAsm)
extern "C" __global__ void assembly(int *out) {
  int x;
  asm volatile("{ .reg .u32 t; mov.u32 t, %%ctaid.x; add.u32 %0, t, 1; }" : "=r"(x)::"memory");
  out[blockIdx.x] = x;
}

// CHECK-DAG: gpu-block-swizzle refused 'calls' (Call)
extern "C" __device__ void elsewhere(int *out);
extern "C" __global__ void calls(int *out) {
  out[blockIdx.x] = 0;
  elsewhere(out);
}
