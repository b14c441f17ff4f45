// What does not depend on the block index of the coarsened dimension is not replicated: with x=4, one load of A's
// element and one store to its tile, four of B's; barriers stay two.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=4>' -S %t.bc | FileCheck %s
// CHECK: @{{.*}}Bs.coarse = internal addrspace(3) global [4 x [16 x [16 x float]]] undef, align 4
// CHECK-LABEL: define {{.*}}matmul
// CHECK-COUNT-4: phi float
// CHECK-COUNT-1: load float, ptr addrspace(1)
// CHECK: store float {{.*}}, ptr addrspace(3)
// CHECK-COUNT-4: load float, ptr addrspace(1)
// CHECK-NOT: load float, ptr addrspace(1)
// CHECK-COUNT-4: store float {{.*}}, ptr addrspace(3)
// CHECK-NOT: store float
// CHECK-COUNT-1: call void @llvm.nvvm.barrier
// CHECK-NOT: barrier
// CHECK-COUNT-5: load float, ptr addrspace(3)
// CHECK-NOT: load float
// CHECK-COUNT-4: @llvm.fma.f32
// CHECK-NOT: @llvm.fma.f32
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: barrier
// CHECK-COUNT-4: store float {{.*}}, ptr addrspace(1)
// CHECK-NOT: store
// CHECK: ret void
