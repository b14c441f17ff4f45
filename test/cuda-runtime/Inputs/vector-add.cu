// Adds two vectors; ends with 1 if a call of the API fails or a sum is wrong.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(Call)                                                                                            \
  do {                                                                                                         \
    cudaError_t Status = Call;                                                                                 \
    if (Status != cudaSuccess) {                                                                               \
      std::printf("%s: %s\n", #Call, cudaGetErrorString(Status));                                              \
      std::exit(1);                                                                                            \
    }                                                                                                          \
  } while (0)

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  float *da, *db, *dc;
  size_t bytes = n * sizeof(float);
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMalloc(&db, bytes));
  CHECK(cudaMalloc(&dc, bytes));
  CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i]) {
      std::printf("FAIL at %d: %g\n", i, c[i]);
      return 1;
    }
  std::printf("PASS\n");
  return 0;
}
