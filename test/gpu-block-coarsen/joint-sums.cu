// With sums=joint the replicas add to one shared array, which is set to zero and added to global memory once. Arrays with other
// contents of a block have copies as ever.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=4;sums=joint>,verify' -pass-remarks=gpu-block-coarsen -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=4>' -S %t.bc | FileCheck %s --check-prefix=APART
// RUN: %opt -passes='gpu-prepare,print<gpu-coarsening-plan><block;x=4;sums=joint>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: %opt -passes='gpu-block-coarsen<x=4;sums=joint>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// RUN: not %opt -passes='gpu-block-coarsen<x=4;sums=joint;mode=sequential>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=SEQUENTIAL
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4;sums=joint>'
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.s
// RUN: %ptxas %t.s
//
// PRINTED: gpu-block-coarsen<x=4;y=1;z=1;shared=blocked;sums=joint>
// SEQUENTIAL: gpu-block-coarsen: sums=joint needs mode=jam: one after another, each replica adds up its own sums

// REMARK: replicas add to one array and flush it once: {{.*}}histogramE4bins
// CHECK-LABEL: define {{.*}}@histogram(
// CHECK: store i32 0, ptr addrspace(3)
// CHECK-NOT: store i32
// CHECK: barrier
// CHECK-COUNT-4: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1
// CHECK-NOT: addrspace(3)
// CHECK: barrier
// CHECK: [[SUM:%.*]] = load i32, ptr addrspace(3)
// CHECK: atomicrmw add ptr addrspace(1) %{{.*}}, i32 [[SUM]]
// CHECK-NOT: atomicrmw
// CHECK: ret void
// PLAN-LABEL: histogram
// PLAN: x: 4 replicas
// PLAN-NOT: privatised
// PLAN: joint:
// PLAN-NEXT: @{{.*}}histogramE4bins: one for all replicas
// PLAN: 1x{{.*}}store i32 0
// PLAN: 4x{{.*}}atomicrmw add ptr addrspace(3)
// PLAN: 1x{{.*}}atomicrmw add ptr addrspace(1)
// APART-LABEL: define {{.*}}@histogram(
// APART-COUNT-4: store i32 0, ptr addrspace(3)
// APART-COUNT-4: atomicrmw add ptr addrspace(1)
// PTX-LABEL: .entry histogram
// PTX: .shared .align 4 .b8 {{.*}}bins[1024];
// PTX-COUNT-4: {{[[:space:]](red|atom)}}.shared.add.u32
// PTX-NOT: {{[[:space:]](red|atom)\.}}
// PTX: {{[[:space:]](red|atom)}}.global.add.u32
// PTX-NOT: {{[[:space:]](red|atom)\.}}
// PTX: ret;
extern "C" __global__ void histogram(const unsigned char *data, int *counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[data[blockIdx.x * 256 + threadIdx.x]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

// REMARK: replicas add to one array and flush it once: {{.*}}bothE3sum
// CHECK-LABEL: define {{.*}}@both(
// CHECK: store float 0.0{{.*}}, ptr addrspace(3) @{{.*}}bothE3sum
// CHECK-COUNT-4: store float %{{.*}}, ptr addrspace(3)
// CHECK: barrier
// CHECK-COUNT-4: atomicrmw fadd ptr addrspace(3) @{{.*}}bothE3sum,
// CHECK: barrier
// CHECK: load float, ptr addrspace(3) @{{.*}}bothE3sum
// CHECK: atomicrmw fadd ptr addrspace(1)
// CHECK-NOT: atomicrmw
// CHECK: ret void
// PLAN-LABEL: both
// PLAN: privatised:
// PLAN-NEXT: @{{.*}}bothE4tile: 4 copies
// PLAN-NEXT: joint:
// PLAN-NEXT: @{{.*}}bothE3sum: one for all replicas
extern "C" __global__ void both(const float *data, float *total) {
  __shared__ float sum, tile[64];
  if (threadIdx.x == 0)
    sum = 0;
  tile[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  atomicAdd(&sum, tile[63 - threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, sum);
}

// What the replicas add is the same, and is added once for each.
// CHECK-LABEL: define {{.*}}@equal(
// CHECK-COUNT-4: atomicrmw add ptr addrspace(3) @{{.*}}equalE4many, i32 3
// CHECK-NOT: addrspace(3)
// CHECK: barrier
// CHECK: atomicrmw add ptr addrspace(1)
// CHECK-NOT: atomicrmw
// CHECK: ret void
extern "C" __global__ void equal(int *count) {
  __shared__ int many;
  if (threadIdx.x == 0)
    many = 0;
  __syncthreads();
  atomicAdd(&many, 3);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(count, many);
}
