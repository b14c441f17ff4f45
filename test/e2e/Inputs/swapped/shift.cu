// Each element takes its left neighbour's value, and one more.
__global__ void shift(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i == 0 ? n - 1 : i - 1] + 1;
}
