// Assignments of structures to shared arrays are loads and stores, which go to each replica's own copy.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>' -Rpass=gpu- 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s
// DONE-COUNT-2: a block does the work of 2x1x1

// CHECK-LABEL: .entry _Z7vectorsPK6float4Pf
// CHECK: ld.global.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: st.shared.v4.b32
// CHECK: st.shared.v4.b32 {{.*}}+1024
// CHECK: bar.sync
__global__ void vectors(const float4 *a, float *out) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float4 v = tile[63 - threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = v.x + v.y * v.z - v.w;
}

struct Tile {
  float v[64];
};

// One array as a whole into another, by a loop for each replica.
// CHECK-LABEL: .entry _Z5wholePK4TilePf
// CHECK: st.shared
// CHECK: st.shared
__global__ void whole(const Tile *a, float *out) {
  __shared__ Tile tile;
  if (threadIdx.x == 0)
    tile = a[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile.v[threadIdx.x];
}
