// Solves a sparse system with conjugate gradients: the five-point Laplace operator in compressed rows, with vectors and
// sums of thrust.
//
// cg [n]: a grid of n x n points, at most 200 iterations.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>

// y = A x, a row per thread.
__global__ void spmv(const int *starts, const int *columns, const double *values, const double *x, double *y,
                     int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}

// y += a x
__global__ void axpy(double a, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

// y = x + a y
__global__ void xpay(const double *x, double a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + a * y[i];
}

struct Matrix {
  thrust::host_vector<int> starts, columns;
  thrust::host_vector<double> values;
};

static Matrix laplace(int n) {
  Matrix m;
  m.starts.push_back(0);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      auto add = [&](int column, double value) {
        m.columns.push_back(column);
        m.values.push_back(value);
      };
      int i = y * n + x;
      if (y > 0)
        add(i - n, -1);
      if (x > 0)
        add(i - 1, -1);
      add(i, 4.05);
      if (x < n - 1)
        add(i + 1, -1);
      if (y < n - 1)
        add(i + n, -1);
      m.starts.push_back(m.columns.size());
    }
  return m;
}

template <typename T> T *raw(thrust::device_vector<T> &v) { return thrust::raw_pointer_cast(v.data()); }

static double dot(const thrust::device_vector<double> &a, const thrust::device_vector<double> &b) {
  return thrust::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024;
  int rows = n * n;
  Matrix m = laplace(n);
  thrust::host_vector<double> rhs(rows);
  for (int i = 0; i < rows; ++i)
    rhs[i] = (i * 37 % 101) / 101.0 - 0.5;

  thrust::device_vector<int> starts = m.starts, columns = m.columns;
  thrust::device_vector<double> values = m.values, b = rhs, x(rows), r = b, p = b, ap(rows);
  thrust::fill(x.begin(), x.end(), 0.0);
  int threads = 256, blocks = (rows + threads - 1) / threads;

  double rr = dot(r, r), first = rr;
  int iterations = 0;
  while (iterations < 200 && rr > 1e-20 * first) {
    spmv<<<blocks, threads>>>(raw(starts), raw(columns), raw(values), raw(p), raw(ap), rows);
    double alpha = rr / dot(p, ap);
    axpy<<<blocks, threads>>>(alpha, raw(p), raw(x), rows);
    axpy<<<blocks, threads>>>(-alpha, raw(ap), raw(r), rows);
    double next = dot(r, r);
    xpay<<<blocks, threads>>>(raw(r), next / rr, raw(p), rows);
    rr = next;
    ++iterations;
  }
  if (cudaError_t error = cudaDeviceSynchronize()) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 2;
  }

  // The residual of the result, computed on the host.
  thrust::host_vector<double> solution = x;
  double residual = 0, norm = 0;
  for (int row = 0; row < rows; ++row) {
    double difference = rhs[row];
    for (int k = m.starts[row]; k < m.starts[row + 1]; ++k)
      difference -= m.values[k] * solution[m.columns[k]];
    residual += difference * difference;
    norm += rhs[row] * rhs[row];
  }
  double relative = sqrt(residual / norm);
  bool pass = relative < 1e-8;
  printf("cg %d unknowns, %d iterations: residual %.2g: %s\n", rows, iterations, relative, pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
