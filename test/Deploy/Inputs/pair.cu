// Two kernels with the same parameters; the second has dynamic shared memory.
__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (i > 0 ? in[i - 1] : 0.0f) + in[i];
}

__global__ void turn(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n)
    out[i] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int n = 65536;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (unsigned block : {64, 128, 256})
    for (unsigned grid : {1, 63, 64, 65, 256, 257, 512}) {
      blur<<<grid, block>>>(a, b, n);
      blur<<<dim3(grid, 2), block, 100>>>(a, b, n);
      turn<<<grid, block, block * sizeof(float)>>>(a, b, n);
      turn<<<grid, block, block * sizeof(float) + 4>>>(a, b, n);
    }
}
