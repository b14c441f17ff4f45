// out = softmax of each row of in, a row-major matrix: exp(x - largest of the row) divided by the sum of these over the row.
// A block does one row, which it keeps in dynamic shared memory, behind it an element a thread for the reductions:
// (columns + blockDim.x) floats. The block's threads are a power of two.
__global__ void softmax(const float *in, float *out, int columns) {
  extern __shared__ float row[];
  float *partial = row + columns;
  int t = threadIdx.x;

  float largest = -INFINITY;
  for (int i = t; i < columns; i += blockDim.x) {
    row[i] = in[blockIdx.x * columns + i];
    largest = fmaxf(largest, row[i]);
  }
  partial[t] = largest;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] = fmaxf(partial[t], partial[t + half]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();

  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) {
    row[i] = expf(row[i] - largest);
    sum += row[i];
  }
  partial[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  sum = partial[0];

  for (int i = t; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = row[i] / sum;
}
