// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose accesses are known.

extern "C" __global__ void copy(const float *in, float2 *out) {
  __shared__ float stage[64];
  int t = threadIdx.x;
  stage[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32)
    out[blockIdx.x * 32 + t] = make_float2(stage[t], stage[t + 32]);
}

extern "C" __global__ void readsTooMuch(int *out, int n) {
  __shared__ int stage[64];
  if (int(threadIdx.x) < n)
    stage[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = stage[63 - threadIdx.x]; // The last are not there.
}

extern "C" __global__ void sums(const int *in, int *out, int n) {
  out[threadIdx.x] += in[threadIdx.x] * n; // Reads what it should only write.
}

extern "C" __global__ void odd(const char *in, int *out) {
  out[threadIdx.x] = *(const int *)(in + 4 * threadIdx.x + (threadIdx.x == 3));
}

extern "C" __global__ void beside(int *data, int offset) { atomicAdd(data + offset, 1); }
