// A factor of at least the outer trip count leaves no outer loop, whatever else the iterations hold: what is chosen before an
// inner loop is chosen before the jammed one.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=9>,verify' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: grep -c 'store float' %t.ll | FileCheck %s --check-prefix=STORES
// STORES: {{^3$}}
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=3>,gpu-unroll<loop=1;factor=2>,verify' -S %t.bc | FileCheck %s --check-prefix=BOTH
// CHECK-LABEL: @k(
// CHECK-COUNT-3: call float @llvm.fma.f32
// CHECK-NOT: @llvm.fma.f32(
// CHECK: br {{.*}}, !llvm.loop
// CHECK-NOT: br {{.*}}, !llvm.loop
// CHECK: ret void
// BOTH-LABEL: @k(
// BOTH-COUNT-6: call float @llvm.fma.f32
// BOTH-NOT: @llvm.fma.f32(
// BOTH: ret void
extern "C" __global__ void k(const float *__restrict__ a, float *__restrict__ out) {
  for (int i = 0; i < 3; ++i) {
    float s = a[i] > 0 ? a[i + 3] : 1.0f;
    for (int j = 0; j < 64; ++j)
      s = s * a[j] + a[64 * i + j];
    if (s > 2.0f)
      s -= 1.0f;
    out[i] = s;
  }
}
