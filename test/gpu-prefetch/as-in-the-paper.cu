// The tiles of the next iteration are read into registers behind the barrier, before the block computes (Ryoo et al.,
// CGO'08, figure 2(d)), and stored to shared memory at the head of the next; no further barrier.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-prefetch<loop=0>,verify' -pass-remarks=gpu-prefetch -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=OPT
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-prefetch<loop=0>,gpu-unroll<loop=1;factor=full>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// DONE: remark: {{.*}}loop 0 reads global memory 1 iterations ahead

// OPT: load float, ptr addrspace(1)
// OPT: load float, ptr addrspace(1)
// OPT: [[A:%[0-9]+]] = phi float [ %{{[^ ]+}}, %{{[^ ]+}} ], [ [[NEXTA:%[0-9]+]],
// OPT: [[B:%[0-9]+]] = phi float [ %{{[^ ]+}}, %{{[^ ]+}} ], [ [[NEXTB:%[0-9]+]],
// OPT: store float [[A]], ptr addrspace(3)
// OPT: store float [[B]], ptr addrspace(3)
// OPT: call void @llvm.nvvm.barrier
// OPT: br i1
// OPT: load float, ptr addrspace(1)
// OPT: load float, ptr addrspace(1)
// OPT: [[NEXTA]] = phi float {{.*}}[ poison,
// OPT: [[NEXTB]] = phi float {{.*}}[ poison,
// OPT: call float @llvm.fma
// OPT: call void @llvm.nvvm.barrier
// OPT: br i1 {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
// OPT: ![[LOOP]] = distinct !{![[LOOP]], {{.*}}![[NUMBER:[0-9]+]]{{[,}]}}
// OPT: ![[NUMBER]] = !{!"gpuprune.loop", i32 0}

// CHECK-COUNT-2: ld.global.nc
// CHECK-NOT: ld.global
// CHECK-COUNT-2: st.shared
// CHECK: bar.sync
// CHECK: @%p{{[0-9]+}} bra
// CHECK-COUNT-2: ld.global.nc
// CHECK-COUNT-16: fma.rn.f32
// CHECK: bar.sync
// CHECK-NOT: {{bar.sync|ld.global}}
// CHECK: st.global
