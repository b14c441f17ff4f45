// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks: their shape, their barriers, their shared memory.

__device__ unsigned place() {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return block * blockDim.x * blockDim.y * blockDim.z + thread;
}

extern "C" __global__ void geometry(uint3 *out) {
  out[2 * place()] = make_uint3(blockIdx.x, blockIdx.y, blockIdx.z);
  out[2 * place() + 1] = make_uint3(threadIdx.x, threadIdx.y, threadIdx.z);
}

extern "C" __global__ void barrierVotes(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  out[3 * t] = __syncthreads_count(v % 3 == 0);
  out[3 * t + 1] = __syncthreads_and(v < 1000);
  out[3 * t + 2] = __syncthreads_or(v == 12345);
}

// Reverses each block's part through dynamic shared memory, beside a static array.
extern __shared__ int dynamicPart[];
extern "C" __global__ void reverse(int *data) {
  __shared__ int offset[3];
  int t = threadIdx.x, n = blockDim.x;
  if (t < 3)
    offset[t] = 100 * t;
  dynamicPart[t] = data[blockIdx.x * n + t];
  __syncthreads();
  data[blockIdx.x * n + t] = dynamicPart[n - 1 - t] + offset[2];
}

// The first warps hand over to the others at a barrier of their own.
extern "C" __global__ void named(int *out) {
  __shared__ int box[64];
  int t = threadIdx.x;
  if (t < 64) {
    box[t] = 3 * t;
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[t - 64] = box[t - 64];
  }
}

// A lock within a block: its holder gets its turn while others spin.
extern "C" __global__ void locked(int *counter, int *lock) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)counter = *(volatile int *)counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

extern "C" __global__ void halfWaits(int *out) {
  if (threadIdx.x < 40)
    __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void foreignMask(int *out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 0);
}
