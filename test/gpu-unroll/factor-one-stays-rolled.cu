// factor=1 is a decision too: the loop stays as it is, and neither LLVM nor ptxas unrolls it.
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=1;factor=1>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: bar.sync
// CHECK: .pragma "nounroll"
// CHECK-COUNT-1: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: bar.sync
