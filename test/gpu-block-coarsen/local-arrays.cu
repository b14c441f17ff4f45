// A local array that differs between replicas is replicated; one that does not stays single.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -S %t.bc | FileCheck %s
// CHECK-LABEL: define {{.*}}@k(
// CHECK-COUNT-3: alloca [8 x i32]
// CHECK-NOT: alloca
// CHECK: ret void
extern "C" __global__ void k(const int *a, int *out) {
  int Differs[8], Same[8];
  for (int i = 0; i < 8; ++i) {
    Differs[i] = a[blockIdx.x * 8 + i];
    Same[i] = a[i];
  }
  int j = a[threadIdx.x] & 7;
  Differs[j] += Same[j ^ 1];
  Same[j] = 3;
  out[blockIdx.x * 32 + threadIdx.x] = Differs[a[32] & 7] + Same[a[33] & 7];
}
