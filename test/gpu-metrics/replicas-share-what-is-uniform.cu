// Coarsening by 4 in x quadruples what depends on x and leaves loads and stores of A's tile, barriers and regions alone.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=4>,function(print<gpu-metrics>)' -disable-output %t.bc 2>&1 \
// RUN:   | FileCheck %s
// CHECK: fp32: 1024
// CHECK: barrier: 32
// CHECK-NEXT: load-global: 80
// CHECK-NEXT: load-shared: 1280
// CHECK-NEXT: store-global: 4
// CHECK-NEXT: store-shared: 80
// CHECK-NEXT: regions: 49
// CHECK: static shared memory: 5120 bytes
