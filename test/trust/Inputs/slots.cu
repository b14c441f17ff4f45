extern "C" __global__ void f(const int *x, int *y, int n) {
  __shared__ int next;
  int warps = blockDim.x / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    next = blockIdx.x * blockDim.x;
  for (int warp = warps - 1; warp >= 0; --warp) {
    __syncthreads();
    if (threadIdx.x / 32 == warp) {
      int slot = 0;
      if (threadIdx.x % 32 == 0)
        slot = atomicAdd(&next, 32);
      slot = __shfl_sync(0xffffffff, slot, 0) + threadIdx.x % 32;
      y[slot] = x[i];
    }
  }
}
