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

struct __attribute__((packed)) Packed {
  char tag;
  int value;
};

// The GPU reads a structure without padding byte by byte.
extern "C" __global__ void unpack(const Packed *in, int *out) { out[threadIdx.x] = in[threadIdx.x].value; }

extern "C" __global__ void norms(const float4 *in, float *out, int offset) {
  float4 v = in[threadIdx.x + offset];
  out[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z;
}

extern "C" __global__ void beside(int *data, int offset) { atomicAdd(data + offset, 1); }

template <typename T> __device__ T *dynamicTile() {
  extern __shared__ double tile[];
  return reinterpret_cast<T *>(tile);
}

// Of a block whose threads from n on forget to write their values.
template <typename T, typename Combine> __device__ void reduce(const T *in, T *out, int n, Combine combine) {
  T *tile = dynamicTile<T>();
  if (int(threadIdx.x) < n)
    tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (int(threadIdx.x) < k)
      tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = tile[0];
}

template <typename T> __device__ void reduceBy(char what, const T *in, T *out, int n) {
  if (what == '+')
    reduce(in, out, n, [](T a, T b) { return a + b; });
  else if (what == '|')
    reduce(in, out, n, [](T a, T b) { return (a < 0 ? -a : a) + (b < 0 ? -b : b); });
  else if (what == '<')
    reduce(in, out, n, [](T a, T b) { return a < b ? a : b; });
  else
    reduce(in, out, n, [](T a, T b) { return a > b ? a : b; });
}

extern "C" __global__ void reduceFloat(char what, const float *in, float *out, int n) {
  reduceBy(what, in, out, n);
}
extern "C" __global__ void reduceDouble(char what, const double *in, double *out, int n) {
  reduceBy(what, in, out, n);
}
extern "C" __global__ void reduceInt(char what, const int *in, int *out, int n) { reduceBy(what, in, out, n); }
extern "C" __global__ void reduceUnsigned(char what, const unsigned *in, unsigned *out, int n) {
  reduceBy(what, in, out, n);
}

struct Table {
  float values[4];
  int n;
};

extern "C" __global__ void pick(Table table, const int *index, float *out) {
  out[threadIdx.x] = table.values[index[threadIdx.x]] + table.n;
}
