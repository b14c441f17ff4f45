// factor=full needs no constant trip count where a constant bounds it: each copy is behind its test.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=full>,verify' -S %t.bc | FileCheck %s
// CHECK: call float @llvm.fma.f32
// CHECK-COUNT-6: br i1
// CHECK: call float @llvm.fma.f32
// CHECK-NOT: {{llvm.loop|fma}}
// CHECK: ret void
extern "C" __global__ void k(const float *a, float *out, int n) {
  float s = 0;
  for (int i = 0; i < (n & 7); ++i)
    s = s * a[i] + 3.0f;
  *out = s;
}
