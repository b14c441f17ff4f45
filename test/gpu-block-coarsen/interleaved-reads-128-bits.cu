// Interleaved copies of the tiles are read and written in 128-bit words.
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin \
// RUN:   -mllvm -gpuprune-pipeline='gpu-block-coarsen<x=4;y=4;shared=interleaved>,gpu-unroll<loop=1;factor=1>'
// RUN: FileCheck %s --input-file=%t.s --implicit-check-not=ld.shared.b32 --implicit-check-not=st.shared.b32
// RUN: %ptxas %t.s -o %t.cubin

// CHECK: .shared .align 16
// CHECK: st.shared.v4.b32
// CHECK: bar.sync
// CHECK: ld.shared.v4.b32
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-16: fma.rn.f32
// CHECK: bar.sync
// CHECK-COUNT-16: st.global.b32
