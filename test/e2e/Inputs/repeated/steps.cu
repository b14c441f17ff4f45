// Step k adds k to what lies behind element k, and then each element takes half of its left neighbour.
__global__ void add(int *data, int n, int k) {
  int i = k + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += k;
}

__global__ void smooth(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + (i > 0 ? from[i - 1] / 2 : 0);
}
