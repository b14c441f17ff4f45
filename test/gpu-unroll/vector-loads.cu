// Loads of one element after another become vectors of up to 16 bytes in the copies, behind a loop that runs until they are aligned.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;loads=vector;kernel=rows>,verify' -S %t.bc | FileCheck %s --check-prefix=ROWS
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=6;loads=vector;kernel=rows>,verify' -S %t.bc | FileCheck %s --check-prefix=SIX
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=16;loads=vector;kernel=kinds>,verify' -S %t.bc | FileCheck %s --check-prefix=KINDS
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;loads=vector;kernel=listed>,verify' -S %t.bc | FileCheck %s --check-prefix=LISTED
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=full;loads=vector;kernel=aligned>,verify' -S %t.bc | FileCheck %s --check-prefix=ALIGNED
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;loads=vector;kernel=sizes>,verify' -S %t.bc | FileCheck %s --check-prefix=SIZES
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=4;loads=vector;kernel=rows>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %opt -passes='gpu-unroll<loop=0;factor=4;loads=vector>,gpu-unroll<loop=0;factor=4;loads=scalar>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// PRINTED: gpu-unroll<loop=0;factor=4;loads=vector>,gpu-unroll<loop=0;factor=4>

// As many iterations before as the row is misaligned by, or all but one where the vectors of the other row would not begin there.
// ROWS-LABEL: @rows(
// ROWS: %[[MISSING:.*]] = and i64 %{{.*}}, 15
// ROWS: lshr i64 %[[MISSING]], 2
// ROWS: %iterations = select i1
// ROWS-COUNT-2: load <4 x float>, ptr addrspace(1) %{{.*}}, align 16
// ROWS-NOT: load float
// ROWS: br i1 {{.*}}!llvm.loop
// As written, that before and the remainder.
// ROWS-COUNT-2: load float, {{.*}}align 4
// ROWS: br i1 {{.*}}!llvm.loop
// ROWS-COUNT-2: load float, {{.*}}align 4
// ROWS: br i1 {{.*}}!llvm.loop
// ROWS-NOT: load
// ROWS: ret void
// PTX-COUNT-2: ld.global.v4.b32
// PTX-NOT: ld.global.v4
extern "C" __global__ void rows(const float *a, const float *x, float *y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i] * x[i];
  y[row] = sum;
}

// Six are three of two.
// SIX-LABEL: @rows(
// SIX-COUNT-6: load <2 x float>, ptr addrspace(1) %{{.*}}, align 8
// SIX-NOT: load <2

// 16 bytes each: one vector of bytes, eight of doubles. What is read in some iterations only, backwards or with a gap stays.
// KINDS-LABEL: @kinds(
// KINDS-DAG: load <16 x i8>, ptr addrspace(1) %{{.*}}, align 16
// KINDS-DAG: load <2 x double>, ptr addrspace(1) %{{.*}}, align 16
// KINDS-NOT: load <{{.}} x float>
// KINDS: br i1 {{.*}}!llvm.loop
extern "C" __global__ void kinds(const char *c, const double *d, const float *f, double *out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += c[i] * d[i] + f[n - i] + f[2 * i];
    if (sum > 0)
      sum -= f[i];
  }
  out[threadIdx.x] = sum;
}

// The bound is read once, before the loop.
// LISTED-LABEL: @listed(
// LISTED: load <4 x i32>, ptr addrspace(1) %{{.*}}, align 16
// LISTED-NOT: load i32
// LISTED: br i1 {{.*}}!llvm.loop
extern "C" __global__ void listed(const int *start, const int *a, int *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum = sum * 3 + a[i];
  out[row] = sum;
}

// No loop before, no remainder and no loop at all.
// ALIGNED-LABEL: @aligned(
// ALIGNED-COUNT-2: load <4 x float>, ptr addrspace(3) %{{.*}}, align 16
// ALIGNED-NOT: load <4 x float>
// ALIGNED-NOT: llvm.loop
// ALIGNED: ret void
extern "C" __global__ void aligned(float *out) {
  __shared__ __align__(16) float tile[32][8];
  tile[threadIdx.x][threadIdx.y] = out[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += tile[threadIdx.x][i];
  out[threadIdx.x] = sum;
}

// Both begin at one address, but do not go on alike: each is tested.
// SIZES-LABEL: @sizes(
// SIZES-COUNT-2: icmp eq i64 %{{.*}}, 0
// SIZES: %iterations = select i1
extern "C" __global__ void sizes(const char *__restrict__ a, double *out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += ((const float *)a)[i] * ((const double *)a)[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
