// Times cuBLAS SGEMM (FP32, no tensor cores) on n x n matrices: the median of single launches between
// events, after warm-up. Prints one JSON line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <vector>

int main(int Argc, char **Argv) {
  int n = Argc > 1 ? std::atoi(Argv[1]) : 4096, Samples = 21;
  size_t Bytes = sizeof(float) * n * n;
  std::vector<float> Host(size_t(n) * n);
  float *A, *B, *C;
  if (cudaMalloc(&A, Bytes) || cudaMalloc(&B, Bytes) || cudaMalloc(&C, Bytes))
    return 1;
  unsigned State = 1;
  for (float *Matrix : {A, B}) {
    for (float &X : Host)
      X = ((State = State * 1664525u + 1013904223u) >> 8) / float(1 << 24) - 0.5f;
    cudaMemcpy(Matrix, Host.data(), Bytes, cudaMemcpyHostToDevice);
  }
  cublasHandle_t Handle;
  cudaEvent_t Begin, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  if (cublasCreate(&Handle) || cublasSetMathMode(Handle, CUBLAS_PEDANTIC_MATH))
    return 1;
  float One = 1, Zero = 0;
  std::vector<float> Ms;
  for (int i = -5; i < Samples; ++i) {
    cudaEventRecord(Begin);
    if (cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &One, B, n, A, n, &Zero, C, n))
      return 1;
    cudaEventRecord(End);
    cudaEventSynchronize(End);
    float T;
    cudaEventElapsedTime(&T, Begin, End);
    if (i >= 0)
      Ms.push_back(T);
  }
  if (cudaGetLastError())
    return 1;
  std::nth_element(Ms.begin(), Ms.begin() + Samples / 2, Ms.end());
  double Median = Ms[Samples / 2];
  std::printf("{\"program\":\"cublas sgemm\",\"n\":%d,\"median_ms\":%.4f,\"tflops\":%.2f}\n", n, Median,
              2.0 * n * n * n / Median * 1e-9);
}
