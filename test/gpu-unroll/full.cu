// factor=full, or a factor of at least the trip count, leaves no loop.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=1;factor=full>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=1;factor=16>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=1;factor=1000>,verify' -S %t.bc | FileCheck %s
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: br i1
// CHECK-COUNT-16: call float @llvm.fma.f32
// CHECK-NOT: {{br i1|fma}}
// CHECK: call void @llvm.nvvm.barrier
