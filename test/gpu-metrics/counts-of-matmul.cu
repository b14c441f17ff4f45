// What print<gpu-metrics> says of the textbook kernel: counts by class, regions, shared bytes, loops with their numbers.
// 32 barriers and loads end regions in 16 assumed trips of the outer loop, whose trip count is an argument.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,function(print<gpu-metrics>)' -disable-output %t.bc 2>&1 | FileCheck %s
// CHECK: gpu-metrics of kernel '_Z6matmulPKfS0_Pfi', one thread:
// CHECK-NEXT: instructions: {{[0-9]+}} (estimated)
// CHECK: fp32: 256
// CHECK: barrier: 32
// CHECK-NEXT: load-global: 32
// CHECK-NEXT: load-shared: 512
// CHECK-NEXT: store-global: 1
// CHECK-NEXT: store-shared: 32
// CHECK-NEXT: regions: 49
// CHECK: shared bytes: 2048 loaded, 128 stored
// CHECK: static shared memory: 2048 bytes
// CHECK-NEXT: loop 0: depth 1, trip count unknown
// CHECK-NEXT: loop 1: depth 2, trip count 16
