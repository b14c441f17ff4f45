// A product that must not be fused, or that the -O3 pipeline made feed a sum, is rounded by itself in machine code too:
// neither the code generator (which would fuse it, flags or not) nor ptxas makes a multiply-add of it.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm -gpuprune-pipeline=
// RUN: FileCheck %s --input-file=%t.s --implicit-check-not=fma.rn --implicit-check-not=mul.f
// RUN: %clang_device -S %s -o %t.ftz.s -fgpu-flush-denormals-to-zero %with_plugin -mllvm -gpuprune-pipeline=
// RUN: FileCheck %s --input-file=%t.ftz.s --check-prefix=FTZ --implicit-check-not=fma.rn
// RUN: %ptxas %t.s -o %t.cubin

// CHECK-LABEL: .entry contracts_off
// CHECK: mul.rn.f32
// CHECK: add.f32
// FTZ-LABEL: .entry contracts_off
// FTZ: mul.rn.ftz.f32
// FTZ: add.ftz.f32
extern "C" __global__ void contracts_off(float *p) {
#pragma clang fp contract(off)
  p[3] = p[0] * p[1] + p[2];
}

// A doubling becomes a sum late in the code generator.
// CHECK-LABEL: .entry doubled
// CHECK: mul.rn.f64
// CHECK: add.f64
extern "C" __global__ void doubled(double *p) { p[2] = p[0] * p[1] * 2.0; }
