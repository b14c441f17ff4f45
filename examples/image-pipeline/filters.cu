#include "filters.h"

__constant__ float weights[2 * RADIUS + 1];

__global__ void grayKernel(const uchar4 *image, float *gray, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    uchar4 p = image[i];
    gray[i] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
  }
}

// A blur along rows or columns; pixels beyond the border are those of the border.
template <bool ROWS> __global__ void blurKernel(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k) {
    int sx = ROWS ? min(max(x + k, 0), width - 1) : x;
    int sy = ROWS ? y : min(max(y + k, 0), height - 1);
    sum += weights[k + RADIUS] * in[sy * width + sx];
  }
  out[y * width + x] = sum;
}

__global__ void histogramKernel(const float *image, unsigned *histogram, int count) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[min(max((int)image[i], 0), 255)], 1u);
  __syncthreads();
  if (local[threadIdx.x] > 0)
    atomicAdd(&histogram[threadIdx.x], local[threadIdx.x]);
}

// What each brightness becomes: 255 times the part of the pixels that are not brighter.
__global__ void tableKernel(const unsigned *histogram, float *table, int count) {
  __shared__ unsigned sums[256];
  int t = threadIdx.x;
  sums[t] = histogram[t];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    unsigned other = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += other;
    __syncthreads();
  }
  table[t] = 255.0f * sums[t] / count;
}

__global__ void lookUpKernel(float *image, const float *table, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    image[i] = table[min(max((int)image[i], 0), 255)];
}

void setBlurWeights(const float *values) { cudaMemcpyToSymbol(weights, values, sizeof(weights)); }

void toGray(const uchar4 *image, float *gray, int width, int height, cudaStream_t stream) {
  int count = width * height;
  grayKernel<<<(count + 255) / 256, 256, 0, stream>>>(image, gray, count);
}

void blur(const float *in, float *scratch, float *out, int width, int height, cudaStream_t stream) {
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  blurKernel<true><<<grid, block, 0, stream>>>(in, scratch, width, height);
  blurKernel<false><<<grid, block, 0, stream>>>(scratch, out, width, height);
}

void equalize(float *image, unsigned *histogram, float *table, int width, int height, cudaStream_t stream) {
  int count = width * height;
  cudaMemsetAsync(histogram, 0, 256 * sizeof(unsigned), stream);
  histogramKernel<<<64, 256, 0, stream>>>(image, histogram, count);
  tableKernel<<<1, 256, 0, stream>>>(histogram, table, count);
  lookUpKernel<<<(count + 255) / 256, 256, 0, stream>>>(image, table, count);
}
