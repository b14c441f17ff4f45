// The loads of all replicas go ahead, in either order of the passes, and cost the coarsened kernel no further
// registers for addresses than one a row: 16 loads wait in 16 registers, nothing is spilled below a cap of 128.
// REQUIRES: ptxas
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-prefetch<loop=0>,gpu-unroll<loop=1;factor=4>,gpu-registers<max=128>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas -v %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefix=NOSPILL
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=1;factor=4>,gpu-prefetch<loop=0>,gpu-block-coarsen<x=8;y=8;shared=interleaved>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: .entry
// CHECK-COUNT-16: ld.global.nc
// CHECK-COUNT-4: st.shared.v4
// CHECK: bar.sync
// CHECK-COUNT-16: ld.global.nc
// CHECK: ld.shared.v4
// CHECK-COUNT-256: fma.rn.f32
// CHECK: bar.sync
// CHECK-NOT: ld.global
// CHECK: st.global
// NOSPILL: 0 bytes spill stores, 0 bytes spill loads
