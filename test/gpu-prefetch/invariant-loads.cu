// A bound that is read again for each test is read once before the loop, where nothing in the loop can write it; so the
// indices and values of a sparse row go ahead.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/spmv/spmv.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>,verify' -pass-remarks=gpu-prefetch -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: gpu-prefetch refused 'written' (UnknownNextIteration): whether another iteration follows is not known ahead of this: {{.*}}load i32
// CHECK: .lr.ph:
// CHECK-NEXT: [[END:%[^ ]+]] = load i32, ptr addrspace(1)
// CHECK: load float, ptr addrspace(1)
// CHECK: load i32, ptr addrspace(1)
// CHECK: [[COLUMN:%[^ ]+]] = phi i32 [ %{{[^ ]+}}, %.lr.ph ]
// CHECK: icmp slt i32 %{{[^ ]+}}, [[END]]
// CHECK: load float, ptr addrspace(1)
// CHECK: load i32, ptr addrspace(1)
// CHECK: sext i32 [[COLUMN]] to i64
// CHECK: load float, ptr addrspace(1)
// CHECK: icmp slt i32 %{{[^ ]+}}, [[END]]
// CHECK: ret void
extern "C" __global__ void written(const int *end, const int *a, int *out) {
  for (int i = 0; i < *end; ++i)
    out[i] = a[i];
}
