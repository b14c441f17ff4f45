// to=shared-async: the tiles of the next iterations are copied asynchronously into D further buffers, sixteen copies of
// four bytes for 8 x 8 results a thread; the barrier at the end of the iteration orders nothing any more.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0;distance=2;to=shared-async>,verify' -pass-remarks=gpu-prefetch -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=OPT
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-prefetch<loop=0;distance=2;to=shared-async>,gpu-unroll<loop=1;factor=4>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// DONE: remark: {{.*}}loop 0 reads global memory 2 iterations ahead

// OPT-DAG: addrspace(3) global [3 x [16 x [16 x float]]]
// OPT-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// OPT: call void @llvm.nvvm.cp.async.commit.group()
// OPT: br i1
// OPT-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// OPT: call void @llvm.nvvm.cp.async.commit.group()
// OPT: %[[BUFFER:.*]] = phi i32 [ 0, {{.*}} ], [ %[[NEXT:.*]], {{.*}} ]
// OPT: call void @llvm.nvvm.cp.async.wait.group(i32 1)
// OPT-NEXT: call void @llvm.nvvm.barrier
// OPT: br i1
// OPT: sub i32 %[[BUFFER]], 1
// OPT-COUNT-2: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// OPT: call void @llvm.nvvm.cp.async.commit.group()
// OPT-NOT: {{call void @llvm.nvvm.barrier|load float, ptr addrspace[(]1[)]|store float .*, ptr addrspace[(]3[)]}}
// OPT: %[[NEXT]] = select
// OPT: ret void

// CHECK-COUNT-32: cp.async.ca.shared.global {{.*}}, 4;
// CHECK: cp.async.wait_group 1;
// CHECK: bar.sync
// CHECK-COUNT-16: cp.async.ca.shared.global {{.*}}, 4;
// CHECK: cp.async.commit_group;
// CHECK-COUNT-16: ld.shared.v4
// CHECK-NOT: {{bar.sync|st.shared|ld.global}}
// CHECK: st.global
