// A pointer that is used only behind the loop waits in shared memory, word by word, and what is computed stays.
// RUN: %clang_device -S %s -o %t.s %with_plugin -Rpass=gpu-registers -mllvm '-gpuprune-pipeline=gpu-registers<spill=2;spill-to=shared>' 2> %t.err
// RUN: FileCheck %s --input-file=%t.s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=PLAN
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %clang_device -S %s -o %t.bounded.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-registers<threads=16x4;spill=2>'
// RUN: FileCheck %s --input-file=%t.bounded.s --check-prefix=EXACT
// RUN: %ptxas %t.bounded.s -o %t.cubin
// PLAN: remark: spilled to shared memory: pointer{{.*}}, 2 words, lives over {{[0-9]+}} instructions of a thread, 2 accesses
// CHECK-LABEL: .entry walk(
// CHECK: .shared .align 4 .b8 walk_spilled[512]
// Two words of 64 threads, 256 bytes apart.
// CHECK: st.volatile.shared.b32 [[[AT:%rd[0-9]+]]], %r
// CHECK: st.volatile.shared.b32 [[[AT]]+256], %r
// CHECK: fma.rn.f32
// CHECK: ld.volatile.shared.b32 {{%rd?[0-9]+}}, [[[AT]]]
// CHECK: ld.volatile.shared.b32 {{%rd?[0-9]+}}, [[[AT]]+256]
// CHECK: st.global.b32
// EXACT-LABEL: .entry walk(
// EXACT: .reqntid 16, 4
// EXACT: walk_spilled[512]
// EXACT: st.volatile.shared
// EXACT: ld.volatile.shared
extern "C" __global__ void __launch_bounds__(64) walk(float *__restrict__ a, const float *__restrict__ b, int n) {
  float *at = a + (threadIdx.y * 16 + threadIdx.x) * 3 + n * blockIdx.x;
  float sum = *at;
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int k = 0; k < 40; ++k)
      sum = sum * b[i * 40 + k] + b[i + k * 7];
  }
  *at = sum;
}
