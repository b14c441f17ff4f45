// y = a * x; WIDTH is the block's extent, or what the author took for it.
#ifndef WIDTH
#define WIDTH blockDim.x
#endif

__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
