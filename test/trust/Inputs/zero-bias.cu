extern "C" __global__ void f(const float *x, const float *b, const int *m, float *y, int cols) {
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[blockIdx.x * cols + c] = x[blockIdx.x * cols + c] * m[(c / blockDim.x * 256 + c % blockDim.x) % cols] + b[(c / blockDim.x * 256 + c % blockDim.x) % cols];
}
