// Preparing what is prepared changes nothing, so a pipeline may name gpu-prepare or leave it out.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.once.ll
// RUN: %opt -passes='gpu-prepare,gpu-prepare' -S %t.bc -o %t.twice.ll
// RUN: diff %t.once.ll %t.twice.ll
// RUN: FileCheck %s --input-file=%t.once.ll
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.named.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-prepare,gpu-unroll<loop=1;factor=4>'
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.implied.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=1;factor=4>'
// RUN: diff %t.named.s %t.implied.s
// CHECK: "gpuprune-prepared"
