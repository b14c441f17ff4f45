// A program that is tuned by gpuprune_tune().
__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

int main() {
  int n = 1 << 20;
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  axpy<<<n / 256, 256>>>(y, x, 2.0f, n);
  return cudaDeviceSynchronize();
}
