// With distance D, D values of a load wait in registers, and the first D iterations are read before the loop, each
// where it exists.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;distance=3>,verify' -S %t.bc | FileCheck %s
// CHECK-LABEL: @sum(
// CHECK: load float, ptr addrspace(1)
// CHECK: br i1
// CHECK: load float, ptr addrspace(1)
// CHECK: phi float {{.*}} poison
// CHECK: select i1 %{{[^ ]+}}, i1 %{{[^ ]+}}, i1 false
// CHECK: br i1
// CHECK: load float, ptr addrspace(1)
// CHECK: [[LAST:%[0-9]+]] = phi float {{.*}}[ [[NEW:%[0-9]+]],
// CHECK: [[SECOND:%[0-9]+]] = phi float {{.*}}[ [[LAST]],
// CHECK: [[FIRST:%[0-9]+]] = phi float {{.*}}[ [[SECOND]],
// CHECK: select i1 %{{[^ ]+}}, i1 %{{[^ ]+}}, i1 false
// CHECK: br i1
// CHECK: load float, ptr addrspace(1)
// CHECK: [[NEW]] = phi float {{.*}} poison
// CHECK: call float @llvm.fma.f32(float %{{[^ ]+}}, float 0x{{.*}}, float [[FIRST]])
// CHECK-NOT: load float
// CHECK: ret void
extern "C" __global__ void sum(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 0.3f + a[i];
  *out = s;
}
