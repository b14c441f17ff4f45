// Around a loop in which most registers are live: remat reads the thread's index again behind it, smem-spilling tells ptxas where
// to spill, local spilling stores to the stack.
// RUN: %clang_device -S %s -o %t.s %with_plugin -Rpass=gpu-registers -mllvm '-gpuprune-pipeline=gpu-registers<remat;smem-spilling>' 2> %t.err
// RUN: FileCheck %s --input-file=%t.s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=PLAN
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %clang_device -S %s -o %t.local.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-registers<spill=4;spill-to=local>'
// RUN: FileCheck %s --input-file=%t.local.s --check-prefix=LOCAL
// RUN: %ptxas %t.local.s -o %t.cubin
// PLAN: remark: computed again: {{.*}}, {{[12]}} word
// CHECK-LABEL: .entry walk(
// CHECK: .pragma "enable_smem_spilling";
// CHECK: mov.u32 %r{{[0-9]+}}, %tid.x;
// CHECK: fma.rn.f32
// CHECK: mov.u32 %r{{[0-9]+}}, %tid.x;
// CHECK: st.global.b32
// LOCAL-LABEL: .entry walk(
// LOCAL: .local .align 8 .b8
// LOCAL: st.local.b32 [
// LOCAL: fma.rn.f32
// LOCAL: ld.local.b32
// LOCAL: st.global.b32
extern "C" __global__ void walk(float *__restrict__ a, const float *__restrict__ b, int n) {
  int at = threadIdx.x * 3;
  float sum = a[at];
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int k = 0; k < 40; ++k)
      sum = sum * b[i * 40 + k] + b[i + k * 7];
  }
  a[at] = sum;
}
