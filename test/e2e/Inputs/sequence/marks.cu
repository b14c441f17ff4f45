// What the second kernel computes shows only where the first has run.
__global__ void mark(const int *in, int *marks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    marks[i] = in[i] + i + 1;
}

__global__ void use(const int *marks, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = marks[i] == i + 1 && threadIdx.x < 64 ? marks[i] : 0;
}
