// Poisson's equation in a cube with Jacobi's method: sweeps until the residual is small, which is looked at now and then.
//
// jacobi3d [n]: n x n x n inner points, at most 60 sweeps.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define SWEEPS 60
#define LOOK_EVERY 20

#define TRY(call)                                                                                              \
  do {                                                                                                         \
    if ((call) != cudaSuccess) {                                                                               \
      fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(cudaGetLastError()));                       \
      exit(EXIT_FAILURE);                                                                                      \
    }                                                                                                          \
  } while (0)

// With a layer of border points around: (n + 2)^3.
__host__ __device__ inline int at(int x, int y, int z, int n) { return (z * (n + 2) + y) * (n + 2) + x; }

__global__ void sweep(const double *u, const double *f, double *v, int n, double h2) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (x > n || y > n || z > n)
    return;
  double sum = u[at(x - 1, y, z, n)] + u[at(x + 1, y, z, n)] + u[at(x, y - 1, z, n)] + u[at(x, y + 1, z, n)] +
               u[at(x, y, z - 1, n)] + u[at(x, y, z + 1, n)];
  v[at(x, y, z, n)] = (sum + h2 * f[at(x, y, z, n)]) / 6.0;
}

// The sum of the squared differences of two fields, a partial sum per block.
__global__ void squaredDifference(const double *u, const double *v, double *partial, int count) {
  extern __shared__ double sums[];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    double d = u[i] - v[i];
    sum += d * d;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sums[0];
}

// Returns how much the last sweep changed.
static double reference(std::vector<double> &u, const std::vector<double> &f, int n, double h2, int sweeps) {
  std::vector<double> v(u);
  for (int s = 0; s < sweeps; s++) {
    for (int z = 1; z <= n; z++)
      for (int y = 1; y <= n; y++)
        for (int x = 1; x <= n; x++)
          v[at(x, y, z, n)] =
              (u[at(x - 1, y, z, n)] + u[at(x + 1, y, z, n)] + u[at(x, y - 1, z, n)] + u[at(x, y + 1, z, n)] +
               u[at(x, y, z - 1, n)] + u[at(x, y, z + 1, n)] + h2 * f[at(x, y, z, n)]) /
              6.0;
    std::swap(u, v);
  }
  double change = 0;
  for (size_t i = 0; i < u.size(); i++)
    change += (u[i] - v[i]) * (u[i] - v[i]);
  return sqrt(change);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 256;
  int count = (n + 2) * (n + 2) * (n + 2);
  double h2 = 1.0 / ((n + 1.0) * (n + 1.0));
  std::vector<double> u(count, 0.0), f(count, 0.0);
  for (int z = 1; z <= n; z++)
    for (int y = 1; y <= n; y++)
      for (int x = 1; x <= n; x++)
        f[at(x, y, z, n)] = (x * 31 + y * 17 + z * 7) % 23 - 11.0;

  const int blocks = 64, threads = 256;
  double *du, *dv, *df, *dPartial, partial[blocks];
  TRY(cudaMalloc((void **)&du, count * sizeof(double)));
  TRY(cudaMalloc((void **)&dv, count * sizeof(double)));
  TRY(cudaMalloc((void **)&df, count * sizeof(double)));
  TRY(cudaMalloc((void **)&dPartial, sizeof(partial)));
  TRY(cudaMemset(du, 0, count * sizeof(double)));
  TRY(cudaMemset(dv, 0, count * sizeof(double)));
  TRY(cudaMemcpy(df, f.data(), count * sizeof(double), cudaMemcpyHostToDevice));

  dim3 block(32, 4, 2);
  dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y, (n + block.z - 1) / block.z);
  int sweeps = 0;
  double change = 1;
  while (sweeps < SWEEPS && change > 1e-12) {
    sweep<<<grid, block>>>(du, df, dv, n, h2);
    std::swap(du, dv);
    sweeps++;
    if (sweeps % LOOK_EVERY == 0) {
      squaredDifference<<<blocks, threads, threads * sizeof(double)>>>(du, dv, dPartial, count);
      TRY(cudaMemcpy(partial, dPartial, sizeof(partial), cudaMemcpyDeviceToHost));
      change = 0;
      for (double p : partial)
        change += p;
      change = sqrt(change);
    }
  }
  std::vector<double> result(count);
  TRY(cudaMemcpy(result.data(), du, count * sizeof(double), cudaMemcpyDeviceToHost));
  double expectedChange = reference(u, f, n, h2, sweeps), worst = 0;
  bool pass = fabs(change - expectedChange) <= 1e-9 * expectedChange;
  for (int i = 0; i < count; i++) {
    double error = fabs(result[i] - u[i]);
    worst = fmax(worst, error);
    pass = pass && error < 1e-12;
  }
  printf("jacobi3d %d^3, %d sweeps: change %.3g, error %.2g: %s\n", n, sweeps, change, worst, pass ? "PASS" : "FAIL");
  cudaFree(du);
  cudaFree(dv);
  cudaFree(df);
  cudaFree(dPartial);
  return pass ? EXIT_SUCCESS : EXIT_FAILURE;
}
