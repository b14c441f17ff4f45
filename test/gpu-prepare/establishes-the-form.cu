// Device functions inlined, memory in registers, address spaces known, loops rotated with a canonical induction variable.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,verify' -S %t.bc | FileCheck %s
// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: alloca
// CHECK-NOT: call {{.*}}@_Z
// CHECK: [[LOOP:[0-9]+]]:
// CHECK-NEXT: %[[I:.*]] = phi i32 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %[[LOOP]] ]
// CHECK: load float, ptr addrspace(1)
// CHECK: store float {{.*}}, ptr addrspace(3)
// CHECK: %[[NEXT]] = add nuw nsw i32 %[[I]], 1
// CHECK: br i1 %{{.*}}, label %[[LOOP]], label %{{.*}}, !llvm.loop
__device__ void put(float *to, float v) { *to = v; }
extern "C" __global__ void k(const float *a, float *out, int n) {
  __shared__ float s[64];
  int i = 0;
  while (i < n) {
    put(&s[i], a[i]);
    ++i;
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
