// Remarks and refusals stand at the loop; one that is inlined stands at the call in the kernel, and the message says
// where it is from. Each is there once, and asking for them changes nothing in the code.
// RUN: %clang_device -S %s -o %t.s -Rpass-missed=gpu- -Rpass=gpu- %with_plugin \
// RUN:   -mllvm '-gpuprune-pipeline=gpu-unroll<kernel=k;loop=0;factor=full>,gpu-unroll<kernel=k;loop=0;factor=2>,gpu-unroll<kernel=k;loop=1;factor=4>,gpu-unroll<kernel=k;loop=7;factor=4>,gpu-registers<max=64>' 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='{{remark|warning}}:'
// RUN: %clang_device -S %s -o %t.quiet.s %with_plugin -Wno-pass-failed \
// RUN:   -mllvm '-gpuprune-pipeline=gpu-unroll<kernel=k;loop=0;factor=full>,gpu-unroll<kernel=k;loop=0;factor=2>,gpu-unroll<kernel=k;loop=1;factor=4>,gpu-unroll<kernel=k;loop=7;factor=4>,gpu-registers<max=64>' 2>&1 \
// RUN:   | count 0
// RUN: diff %t.s %t.quiet.s
#include "Inputs/helper.h"

// CHECK: remarks-stand-at-the-loop.cu:[[@LINE+6]]:22: warning: gpu-unroll refused '_Z1kPKfPfi' (UnknownTripCount): loop 0 has no constant trip count (inlined from {{.*}}helper.h:4:3) [-Wpass-failed=gpu-unroll]
// CHECK: remarks-stand-at-the-loop.cu:[[@LINE+5]]:22: remark: unrolled loop 0 by 2 (inlined from {{.*}}helper.h:4:3) [-Rpass=gpu-unroll]
// CHECK: remarks-stand-at-the-loop.cu:[[@LINE+5]]:3: remark: unrolled loop 1 by 4 [-Rpass=gpu-unroll]
// CHECK: remarks-stand-at-the-loop.cu:[[@LINE+2]]:{{[0-9]+}}: warning: gpu-unroll refused '_Z1kPKfPfi' (NoSuchLoop): the kernel has no loop 7; its loops are 0 (line [[@LINE+3]]), 1 (line [[@LINE+4]]) [-Wpass-failed=gpu-unroll]
// CHECK: remarks-stand-at-the-loop.cu:[[@LINE+1]]:{{[0-9]+}}: remark: at most 64 registers [-Rpass=gpu-registers]
__global__ void k(const float *in, float *out, int n) {
  out[threadIdx.x] = total(in + threadIdx.x * n, n);
  for (int i = 0; i < n; ++i)
    out[threadIdx.x] += i * in[i];
}
