// A loop with a second exit keeps the test of it in every copy.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4>,verify' -S %t.bc | FileCheck %s
// CHECK-COUNT-4: fcmp ogt float {{.*}}, 1.000000e+02
// CHECK: ret void
extern "C" __global__ void k(const float *a, float *out) {
  float s = 0;
  for (int i = 0; i < 16; ++i) {
    s += a[i];
    if (s > 100.0f)
      break;
  }
  *out = s;
}
