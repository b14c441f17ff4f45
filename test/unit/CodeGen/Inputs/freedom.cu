// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose results have fixed bits or not; CollectFreedomTest.cpp says which.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

__device__ float warpSum(float v) {
#pragma unroll
  for (int k = 16; k; k /= 2)
    v += __shfl_xor_sync(~0u, v, k);
  return v;
}

extern "C" __global__ void layernorm(const float *x, float *y, int n, const float *g, float *first) {
  __shared__ float warps[32];
  const float *row = x + blockIdx.x * n;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += row[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  float mean = 0;
  for (int i = 0; i < blockDim.x / 32; ++i)
    mean += warps[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[blockIdx.x * n + i] = (row[i] - mean / n) * g[i];
  if (threadIdx.x == 0)
    first[blockIdx.x] = fmaxf(row[0], row[1]);
}

extern "C" __global__ void onlineSoftmax(const float *x, float *out, int n, float *largest) {
  float most = -1e30f, sum = 0, acc = 0;
  for (int i = 0; i < n; ++i) {
    float now = fmaxf(most, x[i]), scale = __expf(most - now), p = __expf(x[i] - now);
    sum = sum * scale + p;
    acc = acc * scale + p * x[i];
    most = now;
  }
  *out = acc / sum;
  *largest = most;
}

extern "C" __global__ void warpSynchronous(const float *x, float *out) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
  }
  if (t == 0)
    *out = s[0];
}

extern "C" __global__ void registerTile(const float *x, float *y, int n) {
  float acc[4][4] = {};
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        acc[i][j] += x[k * 8 + i] * x[k * 8 + 4 + j];
  for (int i = 0; i < 16; ++i)
    y[i] = acc[i / 4][i % 4];
}

extern "C" __global__ void halfSum(const half *x, half *out, int n) {
  half s = 0;
  for (int i = 0; i < n; ++i)
    s = __hadd(s, x[i]);
  *out = s;
}

extern "C" __global__ void atomicFloat(float *sum, const float *x, float *y, int *count) {
  int i = threadIdx.x;
  atomicAdd(sum, x[i]);
  atomicAdd(count, 1);
  y[i] = x[i] * x[i];
}

extern "C" __global__ void atomicHalf(half2 *sum, const half2 *x, half2 *y) {
  atomicAdd(sum, x[threadIdx.x]);
  y[threadIdx.x] = x[threadIdx.x];
}

extern "C" __global__ void atomicShared(const float *x, float *out, float *copy) {
  __shared__ float s;
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  atomicAdd(&s, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    *out = s;
  copy[threadIdx.x] = x[threadIdx.x] + 1;
}

extern "C" __global__ void compareAndAdd(double *sum, const double *x, double *y) {
  auto *p = (unsigned long long *)sum;
  unsigned long long old = *p, seen;
  double v = x[threadIdx.x];
  y[threadIdx.x] = 2 * v + 1;
  do {
    seen = old;
    old = atomicCAS(p, seen, __double_as_longlong(v + __longlong_as_double(seen)));
  } while (old != seen);
}

extern "C" __global__ void compareAndMax(float *most, const float *x) {
  int *p = (int *)most;
  int old = *p, seen;
  float v = x[threadIdx.x] + 1;
  do {
    seen = old;
    old = atomicCAS(p, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
  } while (old != seen);
}

extern "C" __global__ void warpMax(const float *x, float *out) {
  float v = x[threadIdx.x] * 2 + 1;
  for (int k = 16; k; k /= 2)
    v = fmaxf(v, __shfl_xor_sync(~0u, v, k));
  *out = v;
}

extern "C" __global__ void arrayOfThread(const float *x, float *y) {
  float v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = x[threadIdx.x + i * 32];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = v[i] * 2 + 1;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = v[i] * v[i] + 3;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    y[threadIdx.x + i * 32] = v[i];
}

struct Arguments {
  const float *x;
  float *y;
  int n;
};
extern "C" __global__ void structure(Arguments a, float *z) {
  int i = threadIdx.x;
  if (i < a.n)
    a.y[i] = a.x[i] + a.y[i];
  z[i] = 1;
}

extern "C" __global__ void strides(const float *x, float *y, int w, int h) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y)
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += gridDim.x * blockDim.x)
      y[r * w + c] = x[r * w + c] * 2 + y[r * w + c];
}

extern "C" __global__ void copied(const float *x, float *y) {
  __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x] * 2 + 1;
}

extern "C" __global__ void particles(float4 *p, const float4 *v, float dt) {
  int i = threadIdx.x;
  p[i].x += v[i].x * dt;
  p[i].y += v[i].y * dt;
  p[i].z += v[i].z * dt;
}
