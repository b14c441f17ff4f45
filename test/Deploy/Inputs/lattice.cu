// A program with a table that it never writes, unless a macro has it do so.
#include <cstdio>
#ifndef INITIAL
#define INITIAL -1
#endif
__constant__ int dx[4] = {0, 1, 0, INITIAL};
__constant__ float weight[4];

#ifdef TEMPLATE
template <typename T> __global__ void stencil(const T *in, T *out, int n) {
#else
__global__ void stencil(const float *in, float *out, int n) {
#endif
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += weight[k] * in[(i + n + dx[k]) % n];
  out[i] = sum;
}

// Where the compiler does not know which element is read.
__global__ void look(int *out, int n) { out[threadIdx.x] = dx[(n + threadIdx.x) % 4]; }
__global__ void peek(int *out, int n) { out[threadIdx.x] = dx[(n ^ threadIdx.x) % 4]; }

#ifdef LARGE
__constant__ char large[LARGE];
#endif

#ifdef OTHER
__global__ void other(int *out) { *out = dx[1]; }
#endif

int main(int argc, char **argv) {
  const int n = 1024;
  float in[n], out[n], *dIn, *dOut, hostWeight[4] = {1, 2, 3, 4};
  int host[4] = {0, 1, 0, INITIAL}, *copied = host;
  for (int i = 0; i < n; ++i)
    in[i] = i % 17;
  cudaMalloc(&dIn, sizeof(in));
  cudaMalloc(&dOut, sizeof(out));
  cudaMemcpy(dIn, in, sizeof(in), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weight, hostWeight, sizeof(hostWeight));
#ifdef WRITE
  host[1] = 5;
  WRITE;
#endif
  if (argc > 100) {
#ifdef SELDOM
    SELDOM;
#endif
  }
  stencil<<<n / 128, 128>>>(dIn, dOut, n);
  if (cudaMemcpy(out, dOut, sizeof(out), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += hostWeight[k] * in[(i + n + copied[k]) % n];
    wrong += sum != out[i];
  }
  printf("%s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
