#include "own.h"
__global__ void scale(float *data) { data[blockIdx.x * 32 + threadIdx.x] *= OWN_FACTOR; }
