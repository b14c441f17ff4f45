// E = relu(A * B) * C + D with square matrices: a textbook tiled matrix multiplication and two element-wise kernels.
//
// matmul_chain [n]: n x n matrices, any n.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                                       \
  if (cudaError_t error = (call)) {                                                                            \
    std::fprintf(stderr, "error in line %d: %s\n", __LINE__, cudaGetErrorString(error));                       \
    std::exit(2);                                                                                              \
  }

constexpr int TILE = 16;

template <typename T> __global__ void matmul(const T *a, const T *b, T *c, int n) {
  __shared__ T as[TILE][TILE];
  __shared__ T bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : T(0);
    bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < n && col < n ? b[(t + threadIdx.y) * n + col] : T(0);
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}

template <typename T> __global__ void relu(T *x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] = x[i] > T(0) ? x[i] : T(0);
}

template <typename T> __global__ void add(T *x, const T *y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] += y[i];
}

// Some rows of the result.
template <typename T>
void reference(const std::vector<T> &a, const std::vector<T> &b, const std::vector<T> &c, const std::vector<T> &d,
               int n, int row, std::vector<double> &e) {
  std::vector<double> ab(n, 0.0);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      ab[j] += double(a[row * n + k]) * b[k * n + j];
  for (int j = 0; j < n; ++j)
    e[j] = d[row * n + j];
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      e[j] += std::max(ab[k], 0.0) * c[k * n + j];
}

template <typename T> bool run(int n, const char *type, double tolerance) {
  int count = n * n;
  size_t bytes = sizeof(T) * count;
  std::vector<T> host[4];
  T *device[4], *t, *e;
  for (int m = 0; m < 4; ++m) {
    host[m].resize(count);
    for (int i = 0; i < count; ++i)
      host[m][i] = T((i * 7 + m * 13) % 101) / T(50) - T(1);
    CUDA_CHECK(cudaMalloc(&device[m], bytes));
    CUDA_CHECK(cudaMemcpy(device[m], host[m].data(), bytes, cudaMemcpyHostToDevice));
  }
  CUDA_CHECK(cudaMalloc(&t, bytes));
  CUDA_CHECK(cudaMalloc(&e, bytes));

  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  int blocks = (count + 255) / 256;
  matmul<<<grid, block>>>(device[0], device[1], t, n);
  relu<<<blocks, 256>>>(t, count);
  matmul<<<grid, block>>>(t, device[2], e, n);
  add<<<blocks, 256>>>(e, device[3], count);
  CUDA_CHECK(cudaGetLastError());

  std::vector<T> result(count);
  CUDA_CHECK(cudaMemcpy(result.data(), e, bytes, cudaMemcpyDeviceToHost));
  double worst = 0;
  bool pass = true;
  std::vector<double> expected(n);
  for (int row = 0; row < n; row += std::max(1, n / 8)) {
    reference(host[0], host[1], host[2], host[3], n, row, expected);
    double largest = 1;
    for (double x : expected)
      largest = std::max(largest, std::fabs(x));
    for (int j = 0; j < n; ++j) {
      double error = std::fabs(result[row * n + j] - expected[j]) / largest;
      worst = std::max(worst, error);
      pass = pass && error < tolerance;
    }
  }
  for (T *p : device)
    CUDA_CHECK(cudaFree(p));
  CUDA_CHECK(cudaFree(t));
  CUDA_CHECK(cudaFree(e));
  std::printf("%s error %.2g ", type, worst);
  return pass;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2048;
  std::printf("matmul-chain %d x %d: ", n, n);
  bool pass = run<float>(n, "float", 1e-4);
  pass = run<double>(n, "double", 1e-12) && pass;
  std::printf("%s\n", pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
