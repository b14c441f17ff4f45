// Unrolling an outer loop copies the inner one: its number then means all copies, and they are unrolled together or not at
// all.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=2>,gpu-unroll<loop=1;factor=3>,verify' -S %t.bc | FileCheck %s
// CHECK-COUNT-6: call float @llvm.fma.f32
// CHECK-NOT: @llvm.fma.f32(
// CHECK: ret void
extern "C" __global__ void k(const float *a, float *out) {
  float s = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 12; ++j)
      s = s * a[j] + a[i];
  *out = s;
}
