// What is known to be apart, what reaches nobody knows how far, and what would have to be tested too often is refused by name.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-restrict<loop=all>' -Rpass=gpu-restrict 2> %t.err
// RUN: FileCheck %s --implicit-check-not=remark: --implicit-check-not=refused --input-file=%t.err
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-restrict<loop=3;kernel=declared>' 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: gpu-restrict refused 'declared' (NoSuchLoop): the kernel has no loop 3; its loop{{.*}} 0
#define KERNEL extern "C" __global__ void

// CHECK: gpu-restrict refused 'declared' (KnownApart)
KERNEL declared(float *__restrict__ x, const float *__restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] += y[i];
}

// CHECK: gpu-restrict refused 'alone' (KnownApart)
KERNEL alone(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] += 1;
}

// Of two that are read nothing is moved.
// CHECK: gpu-restrict refused 'read' (KnownApart)
KERNEL read(const float *x, const float *y, float *__restrict__ z, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    z[i] = x[i] + y[i];
}

// CHECK: gpu-restrict refused 'gathered' (UnknownRange)
KERNEL gathered(float *x, const float *y, const int *from, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[from[i]] = y[from[i]];
}

// Until something is found, which may be anywhere.
// CHECK: gpu-restrict refused 'searched' (UnknownRange)
KERNEL searched(char *x, const char *y) {
  for (int i = 0; y[i]; ++i)
    x[i] = y[i];
}

// A pointer in memory.
// CHECK: gpu-restrict refused 'pointed' (KnownApart)
KERNEL pointed(float **x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[0][i] = x[1][i];
}

// CHECK: gpu-restrict refused 'many' (TooLarge): 36 pairs of parameters and {{[0-9]+}} conditions
KERNEL many(int *a, int *b, int *c, int *d, int *e, int *f, int *g, int *h, int *i, int n) {
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    a[k] = b[k] = c[k] = d[k] = e[k] = f[k] = g[k] = h[k] = i[k] = k;
}
