// What the tests of gpu-grid take of CUDA.
#define KERNEL extern "C" __global__ void
