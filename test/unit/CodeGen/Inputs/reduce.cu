// A block sum: shared memory, barriers in a loop, shuffles, atomics, libdevice.
__global__ void reduce(const float *__restrict__ In, float *Out, int n) {
  __shared__ float Partial[256];
  float Sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    Sum += expf(In[i]) * sinf(In[i]);
  Partial[threadIdx.x] = Sum;
  __syncthreads();
  for (int Width = 128; Width >= 32; Width /= 2) {
    if (threadIdx.x < Width)
      Partial[threadIdx.x] += Partial[threadIdx.x + Width];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    float Warp = Partial[threadIdx.x];
    for (int Offset = 16; Offset > 0; Offset /= 2)
      Warp += __shfl_down_sync(0xffffffffu, Warp, Offset);
    if (threadIdx.x == 0)
      atomicAdd(Out, Warp);
  }
}
