// A kernel that takes any block, and two that do not.
#include <cstdio>
#include <cstdlib>

__global__ void rows(const float *from, float *to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    to[y * width + x] += 2 * from[y * width + x];
}

__global__ void threads(const float *from, float *to, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    to[y * width + x] = from[y * width + x];
}

__global__ void shared(const float *from, float *to, int width, int height) {
  __shared__ float all[1024];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  all[threadIdx.y * blockDim.x + threadIdx.x] = x;
  __syncthreads();
  if (x < width && y < height)
    to[y * width + x] = all[0];
}

int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 640, height = argc > 2 ? atoi(argv[2]) : 480;
  dim3 block(argc > 3 ? atoi(argv[3]) : 16, 16), grid((width + block.x - 1) / block.x, (height + 15) / 16);
  float *a, *b;
  cudaMalloc(&a, width * height * sizeof(float));
  cudaMalloc(&b, width * height * sizeof(float));
  rows<<<grid, block>>>(a, b, width, height);
  threads<<<grid, block>>>(a, b, width, height);
  shared<<<grid, block>>>(a, b, width, height);
  printf("%d pending\n", int(cudaGetLastError()));
  return 0;
}
