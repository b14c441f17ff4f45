// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies through shared memory with cp.async, as the headers' inline PTX makes them.

__device__ void copyAsync(void *to, const void *from, int bytes) {
  unsigned shared = unsigned(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes) : "memory");
}

template <int Left> __device__ void waitForAllBut() { asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory"); }

extern "C" __global__ void pipelined(const float4 *in, float4 *out, int steps) {
  __shared__ float4 stage[2][32];
  int t = threadIdx.x;
  copyAsync(&stage[0][t], &in[t], 16);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int i = 0; i < steps; ++i) {
    if (i + 1 < steps)
      copyAsync(&stage[(i + 1) & 1][t], &in[(i + 1) * 32 + t], 16);
    asm volatile("cp.async.commit_group;" ::: "memory");
    waitForAllBut<1>();
    __syncthreads();
    out[i * 32 + t] = stage[i & 1][31 - t];
    __syncthreads();
  }
}

extern "C" __global__ void impatient(const float4 *in, float4 *out) {
  __shared__ float4 stage[32];
  int t = threadIdx.x;
  copyAsync(&stage[t], &in[t], 16);
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  out[t] = stage[31 - t];
}

extern "C" __global__ void partly(const float4 *in, float4 *out) {
  __shared__ float4 stage[32];
  int t = threadIdx.x;
  copyAsync(&stage[t], &in[t], 8);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = stage[31 - t];
}
