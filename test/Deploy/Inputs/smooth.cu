// A program as its author wrote it: a table in constant memory, a variable of the device's own, a function
// that is called once.
#include <cstdio>
#include <cstdlib>

__constant__ float weights[3];
static __device__ float bias = 0.5f;
__device__ int steps;

__device__ __noinline__ float once(float x) { return x * SCALE + bias; }

__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    steps = steps + 1;
  if (i < n) {
    float left = i > 0 ? in[i - 1] : 0.0f, right = i + 1 < n ? in[i + 1] : 0.0f;
    out[i] = weights[0] * left + weights[1] * in[i] + weights[2] * right + once(in[i]);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  unsigned block = argc > 2 ? atoi(argv[2]) : 256;
  int offset = argc > 3 ? atoi(argv[3]) : 0;
  float host[3] = {0.25f, 0.5f, 0.25f}, *a, *b;
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  cudaMalloc(&a, (n + offset) * sizeof(float));
  cudaMalloc(&b, (n + offset) * sizeof(float));
  smooth<<<(n + block - 1) / block, block>>>(a, b, n);
  smooth<<<(n + block - 1) / block, block, 1024>>>(b + offset, a + offset, n);
  printf("%d pending\n", int(cudaGetLastError()));
}
