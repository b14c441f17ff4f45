// Buffers of dynamic shared memory: with launch=larger the launch has room for them, and the
// kernel is told how far they lie apart. Where no such tile is read ahead the launch stays as it is.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;to=shared-async;launch=larger>,verify' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;distance=3;to=shared-async;launch=larger>,gpu-block-coarsen<x=2;kernel=tile>,verify' -S %t.bc | FileCheck %s --check-prefix=BOTH
// RUN: %opt -passes='gpu-prefetch<loop=0;to=shared-async;launch=larger>' -disable-output -print-pipeline-passes %t.bc | FileCheck %s --check-prefix=PRINTED
// RUN: not %opt -passes='gpu-prefetch<loop=0;launch=huge>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-prefetch<loop=0;to=shared-async;launch=larger>'
// RUN: %ptxas %t.s
// PRINTED: gpu-prefetch<loop=0;distance=1;to=shared-async;launch=larger>
// BAD: option 'launch=huge' needs author or larger

extern __shared__ float memory[];
static __device__ unsigned size() {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

// CHECK-LABEL: define {{.*}}@tile(
// CHECK-SAME: i32 %shared.bytes) #[[LARGER:[0-9]+]]
// CHECK: %[[ENDED:.*]] = add nuw i32 %shared.bytes, 15
// CHECK: %[[STRIDE:.*]] = and i32 %[[ENDED]], -16
// CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// CHECK: %[[BUFFER:.*]] = phi i32 [ 0, {{.*}} ], [
// CHECK: mul nuw nsw i32 %[[BUFFER]],
// CHECK-NOT: dynamic_smem_size
// CHECK: ret void
// BOTH-LABEL: define {{.*}}@tile(
// BOTH-SAME: #[[BOTH:[0-9]+]]
extern "C" __global__ void tile(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = size();
  for (int k = 0; k < n; ++k) {
    memory[threadIdx.x] = a[(blockIdx.x * n + k) * 32 + threadIdx.x];
    __syncthreads();
    s += memory[31 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 32 + threadIdx.x] = s;
}

// CHECK-LABEL: define {{.*}}@other(ptr {{[^,]*}}, ptr {{[^,]*}}, i32 {{[^,]*}})
// CHECK: dynamic_smem_size
// CHECK: ret void
extern "C" __global__ void other(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  float s = size();
  memory[threadIdx.x] = a[threadIdx.x];
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = a[k * 32 + threadIdx.x];
    __syncthreads();
    s += tile[31 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = s + memory[threadIdx.x];
}
// CHECK-DAG: attributes #[[LARGER]] = {{.*}}"gpuprune-hidden-parameters"="shared.bytes"{{.*}}"gpuprune-shared-copies"="2"
// BOTH-DAG: attributes #[[BOTH]] = {{.*}}"gpuprune-grid-divisor"="2,1,1"{{.*}}"gpuprune-shared-copies"="8"
