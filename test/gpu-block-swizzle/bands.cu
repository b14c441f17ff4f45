// Blocks are computed in bands of rows, column by column: the two indices are computed once, and all reads of
// them are replaced; the third one and the extents of the grid stay.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-swizzle<group=8>' -S %t.bc | FileCheck %s
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-swizzle<group=8>'
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-LABEL: @k(
// CHECK: [[X:%.*]] = call {{.*}}ctaid.x()
// CHECK-NEXT: [[Y:%.*]] = call {{.*}}ctaid.y()
// CHECK-NEXT: [[COLUMNS:%.*]] = call {{.*}}nctaid.x()
// CHECK-NEXT: [[ROWS:%.*]] = call {{.*}}nctaid.y()
// CHECK-NEXT: [[IN:%.*]] = urem i32 [[Y]], 8
// CHECK-NEXT: %band = sub i32 [[Y]], [[IN]]
// CHECK-NEXT: [[LEFT:%.*]] = sub i32 [[ROWS]], %band
// CHECK-NEXT: [[OF:%.*]] = call i32 @llvm.umin.i32(i32 8, i32 [[LEFT]])
// CHECK: %place = add i32 {{.*}}, [[X]]
// CHECK: %fits = icmp ule i32 [[COLUMNS]], 536870911
// CHECK: udiv i32 %place, [[OF]]
// CHECK: select i1 %fits, {{.*}}, i32 [[X]]
// CHECK: select i1 %fits, {{.*}}, i32 [[Y]]
// CHECK-NOT: sreg.ctaid.{{[xy]}}
// CHECK: ctaid.z()
// CHECK-NOT: sreg.ctaid.{{[xy]}}
// CHECK: ret void
extern "C" __global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < n)
    a[(blockIdx.z * gridDim.y + j) * n + i] = blockIdx.x + blockIdx.y;
}

// Bands of one row are the order as it is.
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-block-swizzle<group=1>' -S %t.bc | diff %t.before -
// RUN: %opt -passes='gpu-block-swizzle<group=4;kernel=k>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// PRINTED: gpu-block-swizzle<group=4;kernel=k>
// RUN: not %opt -passes='gpu-block-swizzle' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not %opt -passes='gpu-block-swizzle<group=65>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not %opt -passes='gpu-block-swizzle<group=0>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: %opt -passes='gpu-block-swizzle<group=2;kernel=nobody>' -pass-remarks-missed=gpu- -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NOKERNEL
// GROUP: gpu-block-swizzle needs group=G: gpu-block-swizzle<group=G;kernel=NAME>
// MOST: needs a whole number of at least 1 and at most 64
// NOKERNEL: gpu-block-swizzle refused (NoSuchKernel)
