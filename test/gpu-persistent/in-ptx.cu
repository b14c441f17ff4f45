// Through -O3, the code generator and ptxas: one loop, one barrier between two blocks, hidden parameters behind the author's.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-persistent<blocks=2>'
// RUN: FileCheck %s < %t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: .entry tile(
// CHECK: .param .u32 tile_param_2,
// CHECK-NEXT: .param .u32 tile_param_3,
// CHECK-NEXT: .param .u32 tile_param_4
// CHECK: mov.u32 {{.*}}, %nctaid.x;
// CHECK: st.shared
// CHECK: bar{{.*}}sync
// CHECK: ld.shared
// CHECK: bar{{.*}}sync
// CHECK-NOT: div
// CHECK-NOT: rem
// CHECK: bra
extern "C" __global__ void tile(const int *a, int *b) {
  __shared__ int s[64];
  s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  b[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
