// Tiles that coarsening has copied beyond 48 KiB are dynamic shared memory in PTX, and ptxas takes it.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4>'
// RUN: FileCheck %s --input-file=%t.s && %ptxas %t.s
// CHECK-NOT: .shared .align {{.*}} tile
// CHECK: .extern .shared .align 16 .b8 _Z4turnPKfPf_shared[];
// CHECK-LABEL: .entry _Z4turnPKfPf(
// CHECK: st.shared.b32 [{{%rd[0-9]+}}+49152]
// RUN: %clang_device -emit-llvm -S %s -o - %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=4>' | FileCheck %s --check-prefix=CONTRACT
// CONTRACT: "gpuprune-grid-divisor"="4,1,1"{{.*}} "gpuprune-shared-arrays"="65536"
__global__ void turn(const float *in, float *out) {
  __shared__ float tile[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    tile[i] = in[blockIdx.x * 4096 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    out[blockIdx.x * 4096 + i] = tile[4095 - i];
}
