// What grid=any costs a grid that is divisible: one comparison of the block's index at the kernel's start. The work of the
// fast path is that of grid=divisible, in 128-bit accesses where that has them.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4;shared=interleaved;grid=any>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s
// CHECK-LABEL: .entry _Z4dotsPKfPf(
// CHECK-DAG: .param .u32 _Z4dotsPKfPf_param_2
// CHECK-LABEL: {
// CHECK-DAG: ld.param.b32 [[G:%r[0-9]+]], [_Z4dotsPKfPf_param_2];
// CHECK-DAG: mov.u32 [[B:%r[0-9]+]], %ctaid.x;
// CHECK: shr.u32 [[W:%r[0-9]+]], [[G]], 2;
// CHECK: setp.{{lt|ge|gt|le}}.u32 %p{{[0-9]+}}, [[B]], [[W]];
// CHECK-NOT: setp
// CHECK: bra
// CHECK: ld.shared.v4
// CHECK: ret;
__global__ void dots(const float *in, float *out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; i++)
    sum += tile[i] * tile[threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
