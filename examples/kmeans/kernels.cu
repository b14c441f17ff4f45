#include "kmeans.h"

// The nearest center of each point.
__global__ void assign(const float *points, const float *centers, int *labels, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float p[DIMENSIONS];
  for (int d = 0; d < DIMENSIONS; ++d)
    p[d] = points[d * count + i];
  int best = 0;
  float bestDistance = 3.4e38f;
  for (int c = 0; c < CLUSTERS; ++c) {
    float distance = 0;
    for (int d = 0; d < DIMENSIONS; ++d) {
      float delta = p[d] - centers[c * DIMENSIONS + d];
      distance += delta * delta;
    }
    if (distance < bestDistance) {
      bestDistance = distance;
      best = c;
    }
  }
  labels[i] = best;
}

// Sums the points of each cluster: in shared memory for each block, then over all blocks.
__global__ void sum(const float *points, const int *labels, float *sums, int *sizes, int count) {
  __shared__ float blockSums[CLUSTERS * DIMENSIONS];
  __shared__ int blockSizes[CLUSTERS];
  for (int k = threadIdx.x; k < CLUSTERS * DIMENSIONS; k += blockDim.x)
    blockSums[k] = 0;
  if (threadIdx.x < CLUSTERS)
    blockSizes[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    int c = labels[i];
    for (int d = 0; d < DIMENSIONS; ++d)
      atomicAdd(&blockSums[c * DIMENSIONS + d], points[d * count + i]);
    atomicAdd(&blockSizes[c], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < CLUSTERS * DIMENSIONS; k += blockDim.x)
    atomicAdd(&sums[k], blockSums[k]);
  if (threadIdx.x < CLUSTERS)
    atomicAdd(&sizes[threadIdx.x], blockSizes[threadIdx.x]);
}

__global__ void move(float *centers, const float *sums, const int *sizes) {
  int k = threadIdx.x;
  int size = sizes[k / DIMENSIONS];
  if (size > 0)
    centers[k] = sums[k] / size;
}

void assignPoints(const float *points, const float *centers, int *labels, int count) {
  assign<<<(count + 127) / 128, 128>>>(points, centers, labels, count);
}

void sumClusters(const float *points, const int *labels, float *sums, int *sizes, int count) {
  cudaMemsetAsync(sums, 0, CLUSTERS * DIMENSIONS * sizeof(float));
  cudaMemsetAsync(sizes, 0, CLUSTERS * sizeof(int));
  sum<<<(count + 255) / 256, 256>>>(points, labels, sums, sizes, count);
}

void moveCenters(float *centers, const float *sums, const int *sizes) {
  move<<<1, CLUSTERS * DIMENSIONS>>>(centers, sums, sizes);
}
