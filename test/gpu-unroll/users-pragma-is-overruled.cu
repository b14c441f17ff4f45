// The variant decides, not #pragma unroll in the source.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=2>'
// RUN: FileCheck %s --input-file=%t.s
// CHECK: .pragma "nounroll"
// CHECK-COUNT-2: fma.rn.f32
// CHECK-NOT: fma.rn.f32
extern "C" __global__ void k(const float *a, float *out) {
  float s = 0;
#pragma unroll 8
  for (int i = 0; i < 16; ++i)
    s = s * a[i] + 3.0f;
  *out = s;
}
