// In the copy for parameters that do not overlap, sums stay in registers and what is only read is read-only memory; the kernel as
// it was is there for all others.
// RUN: %clang_device -S %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-restrict<loop=all>' -Rpass=gpu-restrict 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=DONE --implicit-check-not=refused --input-file=%t.err
// RUN: %clang_device -S -emit-llvm %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-restrict<loop=all;kernel=product>' | FileCheck %s --check-prefix=IR
// DONE-COUNT-7: remark: parameters are tested for overlap where the kernel begins
// DONE: gpu-restrict refused 'last' (KnownApart)
#define KERNEL extern "C" __global__ void

// Whatever is tested, it is all bytes of the matrices: a has ni * nk elements, b nk * nj, c ni * nj.
// IR-LABEL: define {{.*}}void @product(
// IR-SAME: i32 {{[a-z ]*}}%[[NI:[0-9]+]], i32 {{[a-z ]*}}%[[NJ:[0-9]+]], i32 {{[a-z ]*}}%[[NK:[0-9]+]], ptr {{.*}}%[[A:[0-9]+]], ptr {{.*}}%[[B:[0-9]+]], ptr {{.*}}%[[C:[0-9]+]])
// IR-DAG: %[[WJ:[0-9]+]] = sext i32 %[[NJ]] to i64
// IR-DAG: %[[WI:[0-9]+]] = sext i32 %[[NI]] to i64
// IR-DAG: %[[WK:[0-9]+]] = sext i32 %[[NK]] to i64
// IR-DAG: %[[AC:[0-9]+]] = ptrtoint ptr %[[C]] to i64
// IR-DAG: %[[AA:[0-9]+]] = ptrtoint ptr %[[A]] to i64
// IR-DAG: %[[AB:[0-9]+]] = ptrtoint ptr %[[B]] to i64
// IR: br i1 %{{[0-9]+}}, label %{{[0-9]+}}, label %{{[0-9]+}}, !prof
// CHECK-LABEL: .entry product(
// CHECK: fma.rn.f32
// CHECK-NOT: st.global
// CHECK: bra
// CHECK: st.global
// CHECK: ld.global.b32
// CHECK: fma.rn.f32
// CHECK: st.global
KERNEL product(int ni, int nj, int nk, const float *a, const float *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj)
    for (int k = 0; k < nk; k++)
      c[i * nj + j] += a[i * nk + k] * b[k * nj + j];
}

// CHECK-LABEL: .entry strided(
// CHECK: ld.global.nc
KERNEL strided(float *x, const float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] += y[i];
}

// CHECK-LABEL: .entry strided_wide(
// CHECK: ld.global.nc
KERNEL strided_wide(float *x, const float *y, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] += y[i];
}

// A row a block.
// CHECK-LABEL: .entry rows(
// CHECK: ld.global.nc
KERNEL rows(float *out, const float *in, const float *weight, unsigned columns) {
  const float *x = in + blockIdx.x * columns;
  float *y = out + blockIdx.x * columns;
  for (unsigned i = threadIdx.x; i < columns; i += blockDim.x)
    y[i] = x[i] * weight[i];
}

// Through barriers nothing is moved: what other threads of the block stored in between is read. Where they wait, all are.
// CHECK-LABEL: .entry rounds(
// CHECK: bar.sync
// CHECK: ld.global
// CHECK: st.global
KERNEL rounds(float *x, const float *y, int n, int times) {
  int i = threadIdx.x;
  for (int t = 0; t < times; ++t) {
    __syncthreads();
    float v = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i < n)
      x[i] = v + y[i];
  }
}

// What another kernel or the host may have written in between is read again.
// CHECK-LABEL: .entry fenced(
// CHECK-NOT: ld.global.nc
// CHECK: .entry
KERNEL fenced(float *x, const float *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    __threadfence();
    x[i] = y[0];
  }
}

// What goes to an unknown place may be anywhere: y is not read-only here.
// CHECK-NOT: ld.global.nc
// CHECK: .entry last
KERNEL scattered(float *x, const float *y, float *z, const int *to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    z[to[i]] = 1;
    x[i] += y[i];
  }
}

KERNEL last(float *x) { x[0] = 1; }
