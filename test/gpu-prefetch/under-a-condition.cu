// A load that an iteration makes under a condition is made ahead under that condition in its own iteration: the edge
// of the matrix is not read over. A condition that follows from what is
// read cannot be known ahead: that load stays.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;kernel=edge>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;kernel=data>' -pass-remarks-missed=gpu-prefetch -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=DATA
// CHECK-LABEL: @edge(
// CHECK: [[INSIDE:%[^ ]+]] = icmp ult i32 %{{[^ ]+}}, %2
// CHECK: br i1 [[INSIDE]]
// CHECK: load float, ptr addrspace(1)
// CHECK: [[TILE:%[0-9]+]] = phi float [ %{{[^ ]+}}, %{{[^ ]+}} ], [ [[AHEAD:%[0-9]+]],
// CHECK: store float [[TILE]], ptr addrspace(3)
// CHECK: call void @llvm.nvvm.barrier
// CHECK: [[NEXT:%[^ ]+]] = add i32 %{{[^ ]+}}, 32
// CHECK: [[AGAIN:%[^ ]+]] = icmp slt i32 [[NEXT]], %2
// CHECK: [[ELEMENT:%[^ ]+]] = add i32 [[NEXT]],
// CHECK: [[THERE:%[^ ]+]] = icmp ult i32 [[ELEMENT]], %2
// CHECK: [[BOTH:%[^ ]+]] = select i1 [[AGAIN]], i1 [[THERE]], i1 false
// CHECK: br i1 [[BOTH]]
// CHECK: load float, ptr addrspace(1)
// CHECK: [[AHEAD]] = phi float {{.*}}[ poison,
// CHECK: ret void
// DATA: a load is not made ahead (ConditionNotAhead): whether a load is executed is not known ahead of this: {{.*}}load float
extern "C" __global__ void edge(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  float s = 0;
  for (int k = 0; k < n; k += 32) {
    if (k + threadIdx.x < n)
      tile[threadIdx.x] = a[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32 && k + i < n; ++i)
      s = s * 0.3f + tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = s;
}
extern "C" __global__ void data(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    if (a[i] > 0)
      s += b[i];
  *out = s;
}
