// What <cuda_pipeline.h> and libraries write as inline assembly is known for what it is; the
// instructions in PTX are the author's. What is not exactly that stays inline assembly.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,verify' -S %t.bc | FileCheck %s
// RUN: %clang_device -S %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2;kernel=pipeline>' | FileCheck %s --check-prefix=PTX
#include <cuda_pipeline.h>

// CHECK-LABEL: define {{.*}}ptx_kernel void @pipeline(
// CHECK: call void @llvm.nvvm.cp.async.commit.group()
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 0)
// CHECK-NOT: asm
// CHECK: ret void
// PTX-LABEL: .entry pipeline(
// PTX-COUNT-2: cp.async.ca.shared.global [{{.*}}], [{{[^]]*}}], 4;
// PTX-COUNT-2: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8, {{.*}};
// PTX-COUNT-2: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// PTX: cp.async.commit_group;
// PTX: cp.async.wait_group 0;
// PTX-NOT: {{cp.async|inline asm}}
// PTX: ret;
extern "C" __global__ void pipeline(const float4 *in, float *out) {
  __shared__ float4 a[32], b[32], c[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  __pipeline_memcpy_async(&a[t].x, &in[i].x, 4);
  __pipeline_memcpy_async(&b[t], &in[i], 8, 4);
  __pipeline_memcpy_async(&c[t], &in[i], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = a[t].x + b[t].y + c[t].z;
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @library(
// CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.16(
// CHECK: call void @llvm.nvvm.cp.async.wait.all()
// CHECK: ret void
extern "C" __global__ void library(const float4 *in, float *out) {
  __shared__ float4 a[32];
  unsigned to = (unsigned)__cvta_generic_to_shared(&a[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(&in[threadIdx.x]), "n"(16));
  asm volatile("cp.async.wait_all;\n" ::);
  out[threadIdx.x] = a[threadIdx.x].w;
}

// CHECK-LABEL: define {{.*}}ptx_kernel void @others(
// CHECK-COUNT-4: call void asm
// CHECK: ret void
extern "C" __global__ void others(const float4 *in, unsigned to) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in));
  unsigned known = (unsigned)__cvta_generic_to_shared((void *)in);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(known), "l"(in));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(known), "l"(in));
  asm volatile("cp.async.commit_group; cp.async.wait_all;" ::);
}
