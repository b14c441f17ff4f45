// Copies of dynamic shared memory in PTX: blocked, a loop that walks over them counts up one pointer and adds the distance
// for each other replica; side by side an element of all is one access. The loop is unrolled by four.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4>'
// RUN: FileCheck %s --input-file=%t.s --check-prefixes=CHECK,BLOCKED
// RUN: %ptxas %t.s
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4;shared=interleaved>'
// RUN: FileCheck %s --input-file=%t.s --check-prefixes=CHECK,SIDE
// RUN: %ptxas %t.s
// CHECK: .extern .shared .align 16 .b8 row[];
// CHECK-LABEL: .entry _Z4sumsPKfPfi(
// BLOCKED: .param .u32 _Z4sumsPKfPfi_param_3
// SIDE-NOT: _param_3
// CHECK: bar.sync 0;
// SIDE: ld.shared.v4.b32
// BLOCKED: add.s64 [[B:%rd[0-9]+]], [[A:%rd[0-9]+]], %rd
// BLOCKED-NEXT: add.s64 [[C:%rd[0-9]+]], [[A]], %rd
// BLOCKED-NEXT: add.s64 [[D:%rd[0-9]+]], [[A]], %rd
// BLOCKED-NEXT: ld.shared.v4.b32 {{.*}}, [[[A]]];
// BLOCKED-NEXT: ld.shared.v4.b32 {{.*}}, [[[B]]{{.*}}];
// BLOCKED-NEXT: ld.shared.v4.b32 {{.*}}, [[[C]]{{.*}}];
// BLOCKED-NEXT: ld.shared.v4.b32 {{.*}}, [[[D]]{{.*}}];
// BLOCKED-NOT: mul
// BLOCKED: add.s64 [[A]], [[A]], 16;
// CHECK: ret;
__global__ void sums(const float *in, float *out, int n) {
  extern __shared__ float row[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    row[i] = in[blockIdx.x * n + i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= threadIdx.x; i++)
    sum += row[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
