// In the loop, w*m + s is one multiply-add of the rounded m. Unrolled, it is m + s where w is 1, and m is a product: it is
// still rounded by itself, as in the loop.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=full>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: mul.rn.f32 %[[M:r[0-9]+]],
// CHECK: add.f32 %[[S:r[0-9]+]], {{.*}}%[[M]]
// CHECK: fma.rn.f32 %{{r[0-9]+}}, %[[M]], 0f40000000, %[[S]]
extern "C" __global__ void k(float *p) {
  float m = p[0] * p[1], s = p[2];
  for (int w = 1; w < 3; ++w)
    s += w * m;
  p[3] = s;
}
