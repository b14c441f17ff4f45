// Kernels that are right in any number of blocks: sums in shared memory, in registers and over lanes, places of their own.
// RUN: %clang_device -S %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-grid<blocks=4>' -Rpass=gpu-grid 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=FREED --implicit-check-not=refused --input-file=%t.err
#include "Inputs/device.h"

// The test for a further iteration cannot wrap: what is left of the bound is compared with the step.
// FREED-COUNT-12: remark: launched are 4 blocks a multiprocessor
// CHECK-LABEL: .entry histogram(
// CHECK: atom{{.*}}.shared{{.*}}.add.u32
// CHECK: sub.s32
// CHECK: setp.gt.s32
KERNEL histogram(const unsigned char *data, unsigned *counts, int n) {
  __shared__ unsigned bins[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    atomicAdd(&counts[bin], bins[bin]);
}

KERNEL skips_zeros(const float *image, unsigned *counts, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[min(max((int)image[i], 0), 255)], 1u);
  __syncthreads();
  if (bins[threadIdx.x] > 0)
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

KERNEL tree(const int *a, int *total, int n) {
  __shared__ int sums[256];
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i <= n; i += gridDim.x * 256)
    if (a[i] > 3)
      sum += a[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, sums[0]);
}

KERNEL lanes(const float *a, const float *b, float *total, unsigned n) {
  float sum = 0, weight = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += a[i] * b[i];
    for (int k = 0; k < 3; ++k)
      weight += b[i] / (k + 1);
  }
  sum = 2 * sum - weight;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&total[blockIdx.y], sum);
}

// An integer is finite.
KERNEL scaled(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  atomicAdd(y, sum * float(n));
}

KERNEL places(const float *__restrict__ x, float *__restrict__ y, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = 2 * x[i] + x[n - 1 - i] + y[i];
}

// Whole blocks take rows.
KERNEL rows(const float *__restrict__ x, float *most, int n, int width) {
  for (int row = blockIdx.x; row < n; row += gridDim.x)
    for (int i = threadIdx.x; i < width; i += blockDim.x)
      atomicMax((int *)&most[i], (int)x[row * width + i]);
}

// Sums may run in an outer loop; what is stored may not.
KERNEL again(const int *x, int *y, int n, int times) {
  for (int k = 0; k < times; ++k) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      sum += x[i + k];
    atomicAdd(&y[k], sum);
  }
}

KERNEL unsigned_places(char *__restrict__ y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = i >> 5;
}

// The last index that a block may begin at is just below 2^31.
KERNEL begins_far(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = blockIdx.x * 32768 + threadIdx.x * 16; i < n; i += gridDim.x * 32768)
    sum += x[i];
  atomicAdd(y, sum);
}

// Zero is zero in any type, and each array has sums of its own type. Parameters are only read.
struct Weights {
  int of[4];
};
KERNEL two_arrays(Weights weights, const int *x, int *__restrict__ y, float *__restrict__ z, int n) {
  __shared__ alignas(8) int bins[64];
  __shared__ float sums[64];
  if (threadIdx.x < 32)
    reinterpret_cast<long long *>(bins)[threadIdx.x] = 0;
  sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[x[i]], weights.of[i & 3]);
    atomicAdd(&sums[x[i]], 0.5f);
  }
  __syncthreads();
  atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
  atomicAdd(&z[threadIdx.x], sums[threadIdx.x]);
}

// Lanes share out sums by what is the same in all blocks.
KERNEL segments(const int *x, const int *group, int *y, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  unsigned same = __match_any_sync(0xffffffff, group[threadIdx.x]);
  for (int lane = 0; lane < 32; ++lane) {
    int other = __shfl_sync(0xffffffff, sum, lane);
    if (same >> lane & 1)
      sum += other;
  }
  atomicAdd(&y[group[threadIdx.x]], sum);
}
