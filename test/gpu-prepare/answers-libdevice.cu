// opt, which does not begin a pipeline of named passes as clang does, gets what libdevice asks about its compile answered:
// no call is left that a pass would have to refuse, and flush-to-zero is what the front end was told.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes=verify -S %t.bc | FileCheck %s --check-prefix=BEFORE
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>,gpu-block-coarsen<x=2>,verify' -S %t.bc -o %t.ll 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.ll --implicit-check-not='call {{.*}}reflect' --implicit-check-not='call {{.*}}.ftz.f('
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes -fcuda-flush-denormals-to-zero %s -o %t.ftz.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>,gpu-block-coarsen<x=2>,verify' -S %t.ftz.bc -o %t.ftz.ll 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.ftz.ll --check-prefix=FTZ --implicit-check-not='call {{.*}}reflect'
// BEFORE: call {{.*}}nvvm{{[._]}}reflect
// CHECK: define {{.*}}ptx_kernel void @k({{.*}}
// CHECK: call float @llvm.nvvm.ex2.approx
// CHECK-NOT: call {{.*}}@__nv_
// CHECK: ret void
// FTZ: define {{.*}}ptx_kernel void @k(
// FTZ: call {{.*}}.ftz.f(
extern "C" __global__ void k(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += expf(in[i * 64 + threadIdx.x]) + powf(in[i * 64 + threadIdx.x], 1.5f);
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
