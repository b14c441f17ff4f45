// Which product of dx*dx + dy*dy is rounded does not depend on how many uses coarsening gives it: dy*dy is, always.
// RUN: %clang_device -S %s -o %t.plain.s %with_plugin -mllvm -gpuprune-pipeline=
// RUN: FileCheck %s --input-file=%t.plain.s --check-prefix=PLAIN
// RUN: %clang_device -S %s -o %t.y.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<y=2>'
// RUN: FileCheck %s --input-file=%t.y.s --check-prefix=Y
// RUN: %clang_device -S %s -o %t.x.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>'
// RUN: FileCheck %s --input-file=%t.x.s --check-prefix=X
// RUN: %ptxas %t.x.s -o %t.cubin
//
// PLAIN: sub.f32 %[[DX:r[0-9]+]],
// PLAIN: sub.f32 %[[DY:r[0-9]+]],
// PLAIN: mul.f32 %[[YY:r[0-9]+]], %[[DY]], %[[DY]]
// PLAIN-NEXT: fma.rn.f32 %{{r[0-9]+}}, %[[DX]], %[[DX]], %[[YY]]
//
// dx is shared by the replicas of y: stock clang would share dx*dx and fuse dy*dy.
// Y-COUNT-2: mul.f32
// Y-NOT: mul.f32
//
// dy is shared by the replicas of x, and so is its product.
// X: mul.f32 %[[YY:r[0-9]+]],
// X: fma.rn.f32 %{{r[0-9]+}}, %[[A:r[0-9]+]], %[[A]], %[[YY]]
// X: fma.rn.f32 %{{r[0-9]+}}, %[[B:r[0-9]+]], %[[B]], %[[YY]]
// X-NOT: mul.f32
extern "C" __global__ void k(const float *x, const float *y, float *out, float px, float py) {
  float dx = x[blockIdx.x] - px;
  float dy = y[blockIdx.y] - py;
  out[blockIdx.y * gridDim.x + blockIdx.x] = dx * dx + dy * dy;
}
