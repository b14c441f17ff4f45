// __syncthreads_and, _or and _count: logical threads have one result in common, logical blocks
// one each.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-thread-coarsen<dim=x;factor=2>,verify' -S %t.bc | FileCheck %s --check-prefixes=THREADS
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -S %t.bc | FileCheck %s --check-prefixes=BLOCKS

// THREADS-LABEL: define {{.*}}@reduces(
// THREADS: %[[BOTH:.*]] = and i1
// THREADS: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %[[BOTH]])
// THREADS: %[[NEITHER:.*]] = and i1
// THREADS: %[[ANY:.*]] = xor i1 %[[NEITHER]], true
// THREADS: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %[[ANY]])
// THREADS: %[[FIRST:.*]] = call {{.*}}i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all
// THREADS: %[[SECOND:.*]] = call {{.*}}i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all
// THREADS: add i32 %[[FIRST]], %[[SECOND]]
// THREADS-NOT: barrier.cta
// THREADS: ret void

// BLOCKS-LABEL: define {{.*}}@reduces(
// BLOCKS-COUNT-2: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.and.aligned.all
// BLOCKS-COUNT-2: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.or.aligned.all
// BLOCKS-COUNT-2: call {{.*}}i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all
// BLOCKS-NOT: barrier.cta
// BLOCKS: ret void
extern "C" __global__ void reduces(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int all = __syncthreads_and(in[i] > 0);
  int any = __syncthreads_or(in[i] > 10);
  out[i] = __syncthreads_count(in[i] > 20) * 4 + any * 2 + all;
}

// A condition that is the same for all replicas is counted for each of them.
// THREADS-LABEL: define {{.*}}@same(
// THREADS-COUNT-2: call {{.*}}i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all
// THREADS-NOT: barrier.cta
// THREADS: ret void
extern "C" __global__ void same(int n, int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = __syncthreads_count(n > 20);
}

// The block goes on as long as one of its threads does, so all leave the loop alike.
// THREADS-LABEL: define {{.*}}@converges(
// THREADS: llvm.nvvm.barrier.cta.red.or.aligned.all
// THREADS-NOT: llvm.nvvm.barrier.cta.red.or.aligned.all
// THREADS: ret void
// BLOCKS-LABEL: define {{.*}}@converges(
// BLOCKS-COUNT-4: llvm.nvvm.barrier.cta.red.or.aligned.all
// BLOCKS: ret void
extern "C" __global__ void converges(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  int goes;
  do {
    goes = v > 1;
    v = goes ? v * 0.5f : v;
  } while (__syncthreads_or(goes));
  x[i] = v;
}
