// How often each of 256 byte values occurs in data: each block counts in shared memory and then adds its counts to the
// result, which starts at zero. Any number of blocks; a thread strides over the data by the whole grid.
#define BINS 256

__global__ void histogram(const unsigned char *data, unsigned *counts, int n) {
  __shared__ unsigned block_counts[BINS];

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    block_counts[bin] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&block_counts[data[i]], 1u);
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    atomicAdd(&counts[bin], block_counts[bin]);
}
