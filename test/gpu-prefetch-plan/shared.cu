// Tiles get buffers, their stores become copies, behind the barrier that the reads wait for; a barrier that orders nothing
// any more goes.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,print<gpu-prefetch-plan><loop=0;to=shared-async>' -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: %opt -passes='gpu-prepare,print<gpu-prefetch-plan><loop=0>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=REGISTER --implicit-check-not=copy
// CHECK: gpu-prefetch-plan of kernel '{{.*}}matmul{{.*}}', gpu-prefetch<loop=0;distance=1;to=shared-async>:
// CHECK: another iteration follows if
// CHECK: ahead:{{.*}} load float
// CHECK: ahead:{{.*}} load float
// CHECK-COUNT-2: buffers: @
// CHECK-COUNT-2: copy of 4 bytes from
// CHECK: removed:{{.*}}barrier
// CHECK-NEXT: made after:{{.*}}barrier
// REGISTER: gpu-prefetch-plan of kernel
// REGISTER: ahead:{{.*}} load float
// REGISTER: made after:{{.*}}barrier
// The same with launch=larger, on a kernel that has dynamic shared memory.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.dynamic.bc
// RUN: %opt -passes='gpu-prepare,print<gpu-prefetch-plan><loop=0;to=shared-async;launch=larger>' -S %t.dynamic.bc -o %t.ll 2>&1 | FileCheck %s --check-prefix=LARGER
// RUN: %opt -passes='gpu-prepare,print<gpu-prefetch-plan><loop=0;to=shared-async>' -disable-output %t.dynamic.bc 2>&1 | FileCheck %s --check-prefix=AUTHOR
// RUN: FileCheck %s --check-prefix=SAME --implicit-check-not=cp.async < %t.ll
// LARGER: to=shared-async;launch=larger>:
// LARGER: buffers: @tile
// LARGER: copy of 4 bytes
// LARGER-NOT: refused
// AUTHOR: stays (DynamicShared)
// AUTHOR: refused (DynamicShared)
// SAME: define {{.*}} @rows(ptr {{[^,]*}}, ptr {{[^,]*}}, i32 {{[^,]*}})
extern "C" __global__ void rows(const float *__restrict__ In, float *__restrict__ Out, int N) {
  extern __shared__ float tile[];
  float Sum = 0;
  for (int I = 0; I < N; ++I) {
    tile[threadIdx.x] = In[I * 256 + threadIdx.x];
    __syncthreads();
    Sum += tile[threadIdx.x ^ 1];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}
