// Kernels that share what LLVM looks at as a whole: internal functions with one or several calls and with the
// same argument everywhere, libdevice, device variables of all kinds, tables of functions, strings, virtual functions.
#include <assert.h>
#include <stdio.h>

__constant__ float unusedAbove[3];
__constant__ float coefficients[16];
static __constant__ float ofOthers[4] = {1, 2, 3, 4};
__constant__ double below[4];
__device__ int counter;
__device__ float visibleTable[8];
__device__ float visibleOfOthers[1000];
static __device__ float state[8];
static __device__ float own[8];
static __device__ const float fixedTable[4] = {1, 2, 3, 5};

// With one kernel this is the last call of an internal function, which is inlined at any size.
static __device__ float large(const float *p, int n, int mode) {
  float Sum = 0;
  for (int i = 0; i < n; ++i) {
    float x = p[i], y = p[i + mode];
    for (int j = 0; j < mode; ++j) {
      Sum += sinf(x) * cosf(y) + powf(x, y) + tanhf(x * y) + expf(x) / (1 + y) + fixedTable[j & 3];
      x = sqrtf(x) + erff(y) + logf(x + 2) * tanf(y) + atan2f(x, y) + lgammaf(x);
      y = fmodf(y, x) + cbrtf(x) - asinhf(y) * j0f(x) + tgammaf(y);
    }
  }
  return Sum;
}

static __device__ __noinline__ float constantArgument(float x, int n) {
  for (int i = 0; i < n; ++i)
    x = x * x + n;
  return x;
}

template <typename T> __device__ T shared(T x) {
  __shared__ T Tile[32];
  Tile[threadIdx.x] = x;
  __syncthreads();
  return Tile[31 - threadIdx.x] + constantArgument(x, 3);
}

__device__ float visible(float x) { return pow((double)x, 2.5) + constantArgument(x, 3); }
static __device__ float plusOne(float x) { return x + 1; }
static __device__ float twice(float x) { return 2 * x; }
typedef float (*Operation)(float);
__device__ Operation operations[2] = {plusOne, twice};

struct Shape {
  __device__ virtual float area(float x) { return x; }
};
struct Square : Shape {
  __device__ float area(float x) override { return x * x * fixedTable[1]; }
};

template <int N> __global__ void many(float *p, const float *q, int n) {
  int Table[5] = {1, 2, 3, N, 5};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = large(q, n, N) + Table[n % 5] + coefficients[(i + N) & 15] + shared(q[i]);
  if (N == 2)
    p[i] += constantArgument(q[i], 5) + *(double *)visibleTable;
}
template __global__ void many<1>(float *, const float *, int);
template __global__ void many<2>(float *, const float *, int);
template __global__ void many<3>(float *, const float *, int);

__global__ void writesState(float *p, int n) {
  state[n & 7] = p[n];
  counter = n;
  p[1] = below[n & 3];
}
__global__ void readsState(float *p, int n) {
  p[threadIdx.x] = state[threadIdx.x & 7] + counter + visibleTable[n & 7] + own[n & 7];
}
__global__ void readsPairs(float *p) {
  p[0] = visibleTable[0] + visibleTable[1] + coefficients[2] * coefficients[3];
}
__global__ void writesWide(float *p, const double *q) {
  *(double *)visibleTable = q[0];
  p[0] = *(const double *)coefficients + *(const double *)(coefficients + 2);
}
__global__ void dispatches(float *p, int n) {
  Square S;
  Shape Plain, *Shapes[2] = {&S, &Plain};
  p[0] = Shapes[n > 3]->area(p[1]) + operations[n & 1](p[2]) + visible(p[3]) + ofOthers[n & 3];
  if (n == 7)
    printf("seven %d\n", n);
  visibleOfOthers[n] = p[4];
}
__global__ void saysSo(float *p, int n) {
  assert(n > 0);
  p[0] = visible(p[1]) + plusOne(p[2]);
  printf("seven %d\n", n);
}
__global__ void callsAny(Operation *Which, float *p) { p[0] = Which[0](p[1]); }
__global__ void stages(float *p) {
  extern __shared__ float Stage[];
  Stage[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = Stage[threadIdx.x ^ 1];
}
__global__ void bareLoop(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[threadIdx.x] = p[threadIdx.x] * 1.5f + i;
}
__global__ void copies(float *__restrict__ p, const float *__restrict__ Weights, int n) {
  float Sum = 0;
  for (int i = 0; i < 16; ++i)
    Sum += Weights[i] * p[i + threadIdx.x] + coefficients[i];
  p[n] = Sum;
}
