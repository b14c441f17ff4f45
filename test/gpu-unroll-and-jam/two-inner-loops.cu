// Each loop directly in the outer one is jammed; one within those is copied.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=2>,verify' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %opt -passes='print<loops>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=LOOPS
// CHECK-LABEL: @k(
// CHECK-COUNT-2: call float @llvm.fma.f32
// CHECK: br {{.*}}, !llvm.loop
// CHECK: ret void
// LOOPS: Loop at depth 1
// LOOPS-NEXT: Loop at depth 2
// LOOPS-NEXT: Loop at depth 2
// LOOPS-NEXT: Loop at depth 3
// LOOPS-NEXT: Loop at depth 3
// LOOPS-NOT: Loop
extern "C" __global__ void k(const float *__restrict__ a, float *__restrict__ out) {
  for (int i = 0; i < 8; ++i) {
    float s = 0, p = 1;
    for (int j = 0; j < 64; ++j)
      s = s * a[j] + a[64 * i + j];
    for (int j = 0; j < 32; ++j)
      for (int l = 0; l < 16; ++l)
        p = p / a[i + j * l];
    out[i] = s + p;
  }
}
