struct View {
  const float *in;
  float *out;
  int n;
};
struct Node {
  Node *next;
  float value;
};
__device__ float *table;

__global__ void direct(const float *in, float *out, int n) {
  float all = 0;
  for (const float *p = in + threadIdx.x; p != in + n; p += blockDim.x)
    all += *p;
  if (out)
    out[threadIdx.x] = all;
}
__global__ void given(View v) { v.out[threadIdx.x] = threadIdx.x < v.n ? v.in[threadIdx.x] : 0; }
__global__ void listed(const Node *first, float *sum) {
  float all = 0;
  for (const Node *node = first; node; node = node->next)
    all += node->value;
  *sum = all;
}
__global__ void rows(float **rows) { rows[blockIdx.x][threadIdx.x] = 1; }
__global__ void variable(int n) { table[threadIdx.x] = n; }
__device__ __noinline__ int look(int i) { return table[i]; }
__device__ __noinline__ int first(const int *of) { return *of; }
__global__ void called(int *out) { out[threadIdx.x] = look(threadIdx.x); }
__global__ void helped(const int *in, int *out) { out[threadIdx.x] = first(in); }
__global__ void kept(float **to, float *array) { *to = array + 1; }
__global__ void compared(const float *a, const float *b, int *out) { *out = a < b; }
__global__ void aligned(const float *a, int *out) { *out = (unsigned long long)a % 16; }
__global__ void assembled(unsigned long long at) { asm volatile("st.global.u32 [%0], 1;" ::"l"(at)); }
__global__ void shuffled(float *a) {
  __shared__ float tile[32];
  float own[2] = {a[threadIdx.x], 1};
  tile[threadIdx.x] = own[threadIdx.x % 2];
  __syncthreads();
  a[threadIdx.x] = tile[31 - threadIdx.x];
}
