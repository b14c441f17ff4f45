// printf and assert happen once a replica, whether or not it is the block index that they print.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-thread-coarsen<dim=x;factor=2>,verify' -S %t.bc | FileCheck %s
#include <cassert>
#include <cstdio>

// Each call has its own arguments, and asserts only where the replica's own value is negative.
// CHECK-LABEL: define {{.*}}@differs(
// CHECK-COUNT-2: alloca %printf_args
// CHECK-COUNT-2: call void @__assertfail(
// CHECK: call i32 @vprintf(ptr {{[^,]*}}, ptr nonnull %[[ARGUMENTS:[0-9]+]])
// CHECK-NOT: @vprintf({{.*}}%[[ARGUMENTS]])
// CHECK: call i32 @vprintf(
// CHECK: ret void
extern "C" __global__ void differs(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] >= 0);
  if (in[i] > 100.f)
    printf("element %d is %f\n", i, in[i]);
  out[i] = in[i] * 2;
}

// CHECK-LABEL: define {{.*}}@same(
// CHECK-COUNT-2: call i32 @vprintf(
// CHECK-NOT: call {{.*}}@vprintf
// CHECK: ret void
extern "C" __global__ void same(int n) { printf("%d\n", n); }
