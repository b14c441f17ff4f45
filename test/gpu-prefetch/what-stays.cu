// Loads of a loop within the loop, addresses out of memory, and addresses that do not change stay where they are;
// remarks say of the others why.
// RUN: %clang_device -gline-tables-only -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>,verify' -pass-remarks-missed=gpu-prefetch -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ll
// REMARK: remark: {{.*}}what-stays.cu:[[#@LINE+15]]:{{[0-9]+}}: a load is not made ahead (AddressNotAhead): the address of a load is not known ahead of this: {{.*}}load i32
// REMARK-NOT: {{remark|warning}}
// CHECK-LABEL: @sparse(
// CHECK: load float, ptr addrspace(1)
// CHECK: load i32, ptr addrspace(1)
// CHECK: phi float
// CHECK: [[COLUMN:%[^ ]+]] = phi i32
// CHECK: [[WIDE:%[^ ]+]] = sext i32 [[COLUMN]] to i64
// CHECK: getelementptr inbounds float, ptr addrspace(1) %{{[^ ]+}}, i64 [[WIDE]]
// CHECK: load float, ptr addrspace(1)
extern "C" __global__ void sparse(const int *__restrict__ column, const float *__restrict__ value,
                                  const float *__restrict__ x, float *__restrict__ y, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += value[i] *
         x[column[i]];
  *y = s;
}
