// Copies are 16 and 8 bytes wide where loads and tiles are known to be aligned so, whether they are assigned as a whole or by
// their fields; a loop that writes global memory keeps its second barrier, and one that runs again gets one before the first
// copies where no barrier stands behind the reads.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-prefetch<loop=0;to=shared-async;kernel=whole>,gpu-prefetch<loop=0;to=shared-async;kernel=fields>,gpu-prefetch<loop=0;to=shared-async;kernel=doubles>,gpu-prefetch<loop=1;to=shared-async;kernel=again>,gpu-prefetch<loop=0;to=shared-async;kernel=once>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-LABEL: .entry whole(
// CHECK: cp.async.cg.shared.global {{.*}}, 16;
// CHECK: bar.sync
// CHECK: cp.async.cg.shared.global {{.*}}, 16;
// CHECK-NOT: {{bar.sync|cp.async.ca|ld.global|st.shared}}
// CHECK: ret;
// CHECK-LABEL: .entry fields(
// CHECK: cp.async.cg.shared.global {{.*}}, 16;
// CHECK: bar.sync
// CHECK: cp.async.cg.shared.global {{.*}}, 16;
// CHECK-NOT: {{cp.async.ca|ld.global|st.shared}}
// CHECK: ret;
// CHECK-LABEL: .entry doubles(
// CHECK: cp.async.ca.shared.global {{.*}}, 8;
// CHECK: bar.sync
// CHECK: cp.async.ca.shared.global {{.*}}, 8;
// CHECK: bar.sync
// CHECK: ret;
// CHECK-LABEL: .entry again(
// CHECK: bar.sync
// CHECK: cp.async.ca.shared.global {{.*}}, 4;
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: cp.async.ca.shared.global {{.*}}, 4;
// CHECK: ret;
// CHECK-LABEL: .entry once(
// CHECK: cp.async.ca.shared.global {{.*}}, 4;
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void whole(const float4 *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float4 tile[32];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    tile[t] = a[k * 32 + t];
    __syncthreads();
    s += tile[31 - t].x + tile[31 - t].w;
    __syncthreads();
  }
  out[t] = s;
}
extern "C" __global__ void fields(const float4 *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ __align__(16) float tile[32][4];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    float4 v = a[k * 32 + t];
    tile[t][0] = v.x;
    tile[t][1] = v.y;
    tile[t][2] = v.z;
    tile[t][3] = v.w;
    __syncthreads();
    s += tile[31 - t][0] + tile[31 - t][3];
    __syncthreads();
  }
  out[t] = s;
}
extern "C" __global__ void doubles(const double *__restrict__ a, double *__restrict__ out, int n) {
  __shared__ double tile[32];
  int t = threadIdx.x;
  double s = 0;
  for (int k = 0; k < n; ++k) {
    tile[t] = a[k * 32 + t];
    __syncthreads();
    s += tile[31 - t];
    out[k * 32 + t] = s;
    __syncthreads();
  }
}
extern "C" __global__ void again(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  int t = threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) {
      __syncthreads();
      tile[t] = a[k * 32 + t];
      __syncthreads();
      s += tile[31 - t];
    }
  out[t] = s;
}
extern "C" __global__ void once(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    tile[t] = a[k * 32 + t];
    __syncthreads();
    s += tile[31 - t];
  }
  out[t] = s;
}
