// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <cstdio>

__constant__ float weights[4] = {1, 2, 4, 8};
__constant__ int unset[8];
__device__ int total = 5;
__device__ int *there = &total;

extern "C" __global__ void variables(const int *in, int *out) {
  int t = threadIdx.x;
  out[t] = int(weights[in[t] & 3]) + unset[in[t] & 7];
  atomicAdd(there, 1);
}

struct Point {
  float x, y;
  short tag[3];
  double z;
};

extern "C" __global__ void structures(Point p, Point *out, int n) {
  Point q = p;
  q.x += threadIdx.x;
  q.tag[threadIdx.x % 3] = n;
  p.z += 1; // A thread changes its own copy alone.
  q.z = p.z;
  out[threadIdx.x] = q;
}

extern "C" __global__ void localArrays(const int *in, int *out, int n) {
  int local[64];
  for (int i = 0; i < n; ++i)
    local[i] = in[i] * (i + int(threadIdx.x));
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + local[(i * 7 + threadIdx.x) % n];
  out[threadIdx.x] = sum;
}

extern "C" __global__ void vectors(const float4 *in, float4 *out, int *generic) {
  __shared__ int box[2];
  int t = threadIdx.x;
  float4 v = in[t];
  out[t] = make_float4(v.w, v.z, v.y, v.x);
  int *p = t & 1 ? box + (t >> 1 & 1) : generic + t;
  *p = t;
  generic[t] += 10 * int(__isShared(p)) + 20 * int(__isGlobal(p));
}

extern "C" __global__ void atomics(int *i, unsigned *u, float *f, double *d, unsigned long long *l) {
  int t = threadIdx.x;
  atomicAdd(i, t);
  atomicSub(i + 1, t);
  atomicMax(i + 2, t % 50);
  atomicMin(i + 3, -t);
  atomicAnd(i + 4, ~(1 << t % 5));
  atomicOr(i + 5, 1 << t % 20);
  atomicXor(i + 6, t);
  atomicAdd_block(i + 7, 2);
  atomicInc(u, 6);
  atomicDec(u + 1, 6);
  atomicMax(u + 2, unsigned(-t));
  atomicAdd(f, 0.5f);
  atomicExch(f + 1, 3.0f);
  atomicAdd(d, 0.25);
  atomicAdd(l, 1ull << 33);
  atomicMax(l + 1, (unsigned long long)(t) << 35);
  atomicCAS(l + 2, 7ull, 9ull);
  __shared__ int s[2];
  if (t < 2)
    s[t] = 0;
  __syncthreads();
  atomicAdd(s + t % 2, t);
  __syncthreads();
  if (t < 2)
    i[8 + t] = s[t];
}

extern "C" __global__ void printing(int n) {
  if (threadIdx.x < 2)
    printf("%s %d: %5.2f|%-4u|%x %c %lld %%\n", "block", int(blockIdx.x), threadIdx.x * 0.5 + n, 7u, 255, 'z',
           -5000000000ll);
}

extern "C" __global__ void asserting(int n) { assert(int(threadIdx.x) < n); }

extern "C" __global__ void trapping(int n) {
  if (int(threadIdx.x) == n)
    __trap();
}

extern "C" __global__ void outOfBounds(int *data, int n, long offset) {
  if (int(threadIdx.x) == n)
    data[offset] = 1;
}

extern "C" __global__ void divides(int *data, int n) { data[threadIdx.x] = n / data[threadIdx.x]; }

extern "C" __global__ void endless(volatile int *data) {
  while (data[0] == 0)
    ;
}

extern "C" __global__ void recursive(int *data, int n) {
  struct Deep {
    static __device__ __noinline__ int go(int n, volatile int *data) {
      volatile int frame[1000];
      frame[n % 1000] = data[0];
      return n == 0 ? frame[0] : go(n - 1, data) + frame[n % 1000];
    }
  };
  data[1] = Deep::go(n, data);
}

__device__ __noinline__ int twice(int x) { return 2 * x + int(threadIdx.x); }
__device__ __noinline__ int squared(int x) { return x * x + int(blockIdx.x); }
__device__ int (*const functions[2])(int) = {twice, squared};

struct Shape {
  __device__ virtual int area(int side) const { return side; }
};
struct Square : Shape {
  __device__ int area(int side) const override { return side * side; }
};

extern "C" __global__ void pointers(const int *in, int *out) {
  int t = threadIdx.x;
  Shape line;
  Square square;
  const Shape *shape = in[t] % 3 ? &line : &square;
  out[t] = functions[in[t] & 1](in[t]) * 1000 + shape->area(in[t]);
}

extern "C" __global__ void tables(const int *__restrict__ table, int *__restrict__ out) { out[threadIdx.x] = table[threadIdx.x]; }
