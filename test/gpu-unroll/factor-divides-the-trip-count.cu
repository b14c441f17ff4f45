// A factor that divides the trip count leaves no remainder loop; the unrolled loop is not unrolled any further.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/matmul/matmul.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=1;factor=4>,verify' -S %t.bc | FileCheck %s --check-prefix=OPT
// RUN: %clang_device -S %kernels/matmul/matmul.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=1;factor=4>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// OPT: call void @llvm.nvvm.barrier
// OPT-COUNT-4: call float @llvm.fma.f32
// OPT-NOT: call float @llvm.fma.f32
// OPT: !llvm.loop ![[UNROLLED:[0-9]+]]
// OPT: call void @llvm.nvvm.barrier
// OPT-DAG: ![[DISABLE:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
// OPT-DAG: ![[UNROLLED]] = distinct !{![[UNROLLED]], {{.*}}![[DISABLE]]}
// CHECK: bar.sync
// CHECK: .pragma "nounroll"
// CHECK-COUNT-4: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: bar.sync
