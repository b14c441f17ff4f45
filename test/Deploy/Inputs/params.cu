// A kernel with structures in its variables and a text.
#include <cstdio>
#ifdef OTHERS
struct Unrelated { int a; };
__device__ Unrelated unrelated;
__global__ void before(int *p) { printf("before %d\n", p[0] + unrelated.a); }
#endif
struct Params { float factor; int n; };
__constant__ Params params;
__device__ Params state = {2, 1};

__global__ void scaled(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= params.n)
    printf("beyond %d\n", params.n);
  else
    p[i] *= params.factor * state.factor;
  if (i == 0)
    state.n = 1;
}
