// The assignment step of k-means: membership[i] is the cluster whose centre is nearest to point i, the first of equals.
// Points are stored feature by feature (features rows of n), centres one after another.
#include <cfloat>

__global__ void assign(const float *points, const float *centres, int *membership, int n, int clusters,
                       int features) {
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
