// What cannot wait in shared memory is refused by name.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;to=shared-async>' -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O3 -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;to=shared-async>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: refused {{.*}}(NoAsyncCopies): asynchronous copies need compute capability 8.0; to=register needs none
#define TILE(NAME, TYPE, BEFORE, STORE, COMPUTE, AFTER)                                                                \
  extern "C" __global__ void NAME(const TYPE *__restrict__ a, TYPE *__restrict__ out, int n) {                         \
    __shared__ TYPE tile[32];                                                                                          \
    int t = threadIdx.x;                                                                                               \
    TYPE s = 0;                                                                                                        \
    BEFORE;                                                                                                            \
    for (int k = 0; k < n; ++k) {                                                                                      \
      STORE;                                                                                                           \
      __syncthreads();                                                                                                 \
      COMPUTE;                                                                                                         \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    AFTER;                                                                                                             \
    out[t] = s;                                                                                                        \
  }
// CHECK: gpu-prefetch refused 'small' (NoCopy): what is read is not just stored to a shared array, in one aligned piece of 4, 8 or 16 bytes: {{.*}}load i8
TILE(small, signed char, , tile[t] = a[k * 32 + t], s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'changed' (NoCopy)
TILE(changed, float, , tile[t] = a[k * 32 + t] * 2, s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'some' (TileGoesOn): not every iteration stores the same elements, so one may read what an earlier one stored
TILE(some, float, tile[t] = 0, if (t > k) tile[t] = a[k * 32 + t], s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'turns' (TileGoesOn)
TILE(turns, float, tile[t] = 0, tile[(t + k) % 32] = a[k * 32 + t], s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'adds' (TileGoesOn): the tile is not only stored what global memory holds: {{.*}}store float
TILE(adds, float, , tile[t] = a[k * 32 + t], s += tile[31 - t]; tile[t] = s, )
// CHECK: gpu-prefetch refused 'behind' (TileElsewhere): the tile is accessed outside of the loop as well: {{.*}}load float
TILE(behind, float, , tile[t] = a[k * 32 + t], s += tile[31 - t], s += tile[t])
// CHECK: gpu-prefetch refused 'early' (NoBarrier): no __syncthreads() lies between the stores to the tiles and this read: {{.*}}load float
TILE(early, float, , tile[t] = a[k * 32 + t]; s += tile[n % 32], s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'filled' (MemoryIntrinsic): '_ZZ6filledE4tile' is privatised and copied or filled as a whole
TILE(filled, float, if (t == 0) __builtin_memset(tile, 0, sizeof tile), tile[t] = a[k * 32 + t], s += tile[31 - t], )
// CHECK: gpu-prefetch refused 'own' (OwnAsyncCopies): the kernel counts groups of asynchronous copies of its own: {{.*}}@llvm.nvvm.cp.async.wait.all
TILE(own, float, __nvvm_cp_async_wait_all(), tile[t] = a[k * 32 + t], s += tile[31 - t], )
// The launch has room for one.
// CHECK: gpu-prefetch refused 'dynamic' (DynamicShared): 'at_launch' is dynamic shared memory
extern __shared__ float at_launch[];
extern "C" __global__ void dynamic(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    at_launch[threadIdx.x] = a[k * 32 + threadIdx.x];
    __syncthreads();
    s += at_launch[31 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
