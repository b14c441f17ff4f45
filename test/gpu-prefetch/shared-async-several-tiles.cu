// A read by a pointer that may be into one tile or another, or into memory that has no buffers: the distance to the iteration's
// buffer is chosen as the pointer is.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;to=shared-async>,verify' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-prefetch<loop=0;to=shared-async>'
// RUN: %ptxas %t.s
// CHECK-DAG: @[[A:.*wide.*]] = internal addrspace(3) global [2 x [64 x float]]
// CHECK-DAG: @[[B:.*narrow.*]] = internal addrspace(3) global [2 x [32 x float]]
// CHECK-LABEL: define {{.*}}@either(
// CHECK-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// CHECK: %[[BUFFER:.*]] = phi i32 [ 0, {{.*}} ], [
// CHECK: %[[STRIDE:.*]] = select i1 %{{.*}}, i32 128, i32 256
// CHECK: mul nuw nsw i32 %[[BUFFER]], %[[STRIDE]]
extern "C" __global__ void either(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float wide[64], narrow[32];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    wide[t] = a[k * 64 + t];
    narrow[t] = a[k * 32 + t + 7];
    __syncthreads();
    const float *from = t % 3 ? wide : narrow;
    s += from[31 - t];
    __syncthreads();
  }
  out[t] = s;
}
// CHECK-LABEL: define {{.*}}@tile_or_global(
// CHECK: select i1 %{{.*}}, i32 0, i32 256
extern "C" __global__ void tile_or_global(const float *__restrict__ a, const float *__restrict__ b,
                                          float *__restrict__ out, int n) {
  __shared__ float wide[64];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    wide[t] = a[k * 64 + t];
    __syncthreads();
    const float *from = t % 3 ? wide : b;
    s += from[63 - t];
    __syncthreads();
  }
  out[t] = s;
}
