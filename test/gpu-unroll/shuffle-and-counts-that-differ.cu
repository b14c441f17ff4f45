// Threads that run a loop with a shuffle for different numbers of iterations would meet in different copies of it, one in the
// loop, one in the remainder: so there is no remainder, and each copy in the loop keeps its test.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;remainder=unrolled>,verify' -S %t.bc | FileCheck %s
// CHECK-LABEL: @k(
// CHECK: br i1
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// CHECK: br i1
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// CHECK: br i1
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// CHECK: br i1
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// CHECK: br i1 {{.*}}, !llvm.loop
// CHECK-NOT: {{br i1|shfl}}
// CHECK: ret void
extern "C" __global__ void k(float *a, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 3)
    s += __shfl_xor_sync(0xffffffffu, s + i, 1);
  a[threadIdx.x] = s;
}
