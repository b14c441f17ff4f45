// The first kernel does WAY with a variable, which the second one reads.
struct View {
  int *data;
  __device__ __noinline__ void put() const { *data = 1; }
  __device__ __noinline__ int get() const { return *data; }
};
struct Pair {
  int a, b;
};
__device__ int flag = 3;
__device__ Pair pair;
__device__ int *where = &flag;

__device__ __noinline__ int *choose(int n) { return n > 3 ? where : &flag; }

__global__ void mark(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    WAY;
    data[i] += 1;
  }
}

__global__ void use(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += flag + pair.a;
}
