// remainder=loop is a loop, unrolled three copies behind their tests, and with none each copy in the loop keeps its test.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;remainder=loop>,verify' -S %t.bc | FileCheck %s --check-prefix=LOOP
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;remainder=unrolled>,verify' -S %t.bc | FileCheck %s --check-prefix=UNROLLED
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;remainder=none>,verify' -S %t.bc | FileCheck %s --check-prefix=NONE
// RUN: %opt -passes='gpu-unroll<loop=0;factor=4;remainder=unrolled>,gpu-unroll<loop=0;factor=4;remainder=loop>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// PRINTED: gpu-unroll<loop=0;factor=4;remainder=unrolled>,gpu-unroll<loop=0;factor=4>
// LOOP-LABEL: @k(
// LOOP-COUNT-4: call float @llvm.fma.f32
// LOOP: br i1 {{.*}}, !llvm.loop
// LOOP-COUNT-1: call float @llvm.fma.f32
// LOOP-NOT: fma
// LOOP: br i1 {{.*}}, !llvm.loop
// UNROLLED-LABEL: @k(
// UNROLLED-COUNT-4: call float @llvm.fma.f32
// UNROLLED: br i1 {{.*}}, !llvm.loop
// UNROLLED-COUNT-3: call float @llvm.fma.f32
// UNROLLED-NOT: {{fma|llvm.loop}}
// UNROLLED: ret void
// NONE-LABEL: @k(
// NONE: call float @llvm.fma.f32
// NONE: br i1
// NONE: call float @llvm.fma.f32
// NONE: br i1
// NONE: call float @llvm.fma.f32
// NONE: br i1
// NONE: call float @llvm.fma.f32
// NONE: br i1 {{.*}}, !llvm.loop
// NONE-NOT: fma
// NONE: ret void
extern "C" __global__ void k(const float *a, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 3.0f;
  *out = s;
}
