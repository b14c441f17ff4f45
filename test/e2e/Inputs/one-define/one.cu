#if WIDTH == 64
#error "no blocks of 64 here"
#endif
__global__ void one(float *out) { out[blockIdx.x * WIDTH + threadIdx.x] = 1; }
