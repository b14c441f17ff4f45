// A thread goes down a column of both: what it stores in one row it may load in a later one.
extern "C" __global__ void columns(const int *a, int *b, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 1;
  for (int k = 0; k < rows; ++k) {
    sum = 3 * sum + a[k * n + i];
    b[k * n + i] = sum;
  }
}

// The sum of a column, in memory.
extern "C" __global__ void sums(const int *a, int *b, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < rows; ++k)
      b[i] += a[k * n + i];
}
