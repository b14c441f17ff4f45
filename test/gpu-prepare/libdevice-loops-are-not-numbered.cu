// sinf's slow path loops; that loop is not the user's, who has one here, number 0.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc | FileCheck %s
// CHECK-DAG: !{!"gpuprune.libdevice", i32 1}
// CHECK-DAG: !{!"gpuprune.loop", i32 0}
// CHECK-NOT: !{!"gpuprune.loop", i32 1}
extern "C" __global__ void k(const float *a, float *out, int n) {
  float s = sinf(a[0]);
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 3.0f;
  out[0] = s;
}
