// A program that has functions of the names that the dispatch code has, and whose launches throw where it says
// so.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}

extern "C" {
int gpuprune_set_attribute(int);
int gpuprune_launch_config = 3;
int gpuprune_launch(int number) { return number + 1; }
cudaError_t __real_cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    cudaStream_t stream) {
  if (getenv("THROWING"))
    throw 1;
  return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
}

struct Loud {
  ~Loud() { puts("destroyed"); }
};

int main() {
  printf("own %d %d\n", gpuprune_launch(gpuprune_launch_config), gpuprune_set_attribute(1));
  try {
    Loud loud;
    scale<<<1024, 256>>>(nullptr, 1 << 18);
  } catch (int) {
    puts("caught");
  }
}
