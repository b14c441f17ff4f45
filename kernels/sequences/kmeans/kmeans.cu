// Lloyd's algorithm for k-means: each point joins the nearest centre, the first of equals; then each centre moves to the
// mean of its points, or stays where it has none. Points are stored feature by feature (features rows of n), centres one
// after another. Sums are of integers, so that their order does not matter.
#include <cfloat>

#define ONE 65536.0f

__global__ void assign(const float *points, const float *centres, int *membership, int n, int clusters, int features) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int nearest = 0;
  float shortest = FLT_MAX;
  for (int c = 0; c < clusters; c++) {
    float distance = 0.0f;
    for (int f = 0; f < features; f++) {
      float difference = points[f * n + i] - centres[c * features + f];
      distance += difference * difference;
    }
    if (distance < shortest) {
      shortest = distance;
      nearest = c;
    }
  }
  membership[i] = nearest;
}

__global__ void clear(unsigned *sums, unsigned *sizes, int clusters, int features) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < clusters * features)
    sums[i] = 0;
  if (i < clusters)
    sizes[i] = 0;
}

__global__ void accumulate(const float *points, const int *membership, unsigned *sums, unsigned *sizes, int n,
                           int features) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int c = membership[i];
  atomicAdd(&sizes[c], 1u);
  for (int f = 0; f < features; f++)
    atomicAdd(&sums[c * features + f], static_cast<unsigned>(points[f * n + i] * ONE));
}

__global__ void move(const unsigned *sums, const unsigned *sizes, float *centres, int clusters, int features) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= clusters * features)
    return;
  unsigned size = sizes[i / features];
  if (size > 0)
    centres[i] = static_cast<float>(sums[i]) / (ONE * static_cast<float>(size));
}
