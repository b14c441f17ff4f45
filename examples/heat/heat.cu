// Heat conduction in a square plate: an explicit time stepping scheme with two buffers that change places.
//
// heat [n]: n x n points, 200 steps.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                            \
  do {                                                                                                         \
    cudaError_t error = (call);                                                                                \
    if (error != cudaSuccess) {                                                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                \
      exit(2);                                                                                                 \
    }                                                                                                          \
  } while (0)

const int STEPS = 200;
const float ALPHA = 0.2f;

// A hot disc in the middle of a cold plate.
__global__ void initialize(float *u, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float dx = x - 0.5f * n, dy = y - 0.5f * n;
  u[y * n + x] = dx * dx + dy * dy < 0.04f * n * n ? 100.0f : 0.0f;
}

// One time step; the border keeps its temperature.
__global__ void step(const float *u, float *v, int n, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int i = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
    v[i] = u[i];
    return;
  }
  v[i] = u[i] + alpha * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0f * u[i]);
}

static void reference(std::vector<float> &u, int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float dx = x - 0.5f * n, dy = y - 0.5f * n;
      u[y * n + x] = dx * dx + dy * dy < 0.04f * n * n ? 100.0f : 0.0f;
    }
  std::vector<float> v(u);
  for (int s = 0; s < STEPS; ++s) {
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        int i = y * n + x;
        v[i] = u[i] + ALPHA * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0f * u[i]);
      }
    std::swap(u, v);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2048;
  size_t bytes = sizeof(float) * n * n;
  float *u, *v;
  CHECK(cudaMalloc(&u, bytes));
  CHECK(cudaMalloc(&v, bytes));

  dim3 block(16, 16);
  dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  initialize<<<grid, block>>>(u, n);
  CHECK(cudaGetLastError());

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  for (int s = 0; s < STEPS; ++s) {
    step<<<grid, block>>>(u, v, n, ALPHA);
    std::swap(u, v);
  }
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  std::vector<float> result(n * n), expected(n * n);
  CHECK(cudaMemcpy(result.data(), u, bytes, cudaMemcpyDeviceToHost));
  reference(expected, n);
  double worst = 0;
  int wrong = 0;
  for (int i = 0; i < n * n; ++i) {
    double error = fabs(result[i] - expected[i]);
    worst = fmax(worst, error);
    if (!(error < 1e-3))
      ++wrong;
  }
  bool pass = wrong == 0;

  printf("heat %d x %d, %d steps: %.3f ms, error %.2g, %d wrong: %s\n", n, n, STEPS, ms, worst, wrong,
         pass ? "PASS" : "FAIL");
  CHECK(cudaFree(u));
  CHECK(cudaFree(v));
  return pass ? 0 : 1;
}
