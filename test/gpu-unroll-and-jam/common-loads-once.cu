// Four clusters side by side read a feature of the point once; what is left runs one by one.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %kernels/kmeans/kmeans.cu -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=4>,verify' -S %t.bc | FileCheck %s
// RUN: %clang_device -S %kernels/kmeans/kmeans.cu -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll-and-jam<loop=0;factor=4>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-COUNT-4: call float @llvm.fma.f32
// CHECK-NOT: @llvm.fma.f32(
// CHECK: br {{.*}}, !llvm.loop ![[INNER:[0-9]+]]
// CHECK-NOT: @llvm.fma.f32(
// CHECK: br {{.*}}, !llvm.loop ![[OUTER:[0-9]+]]
// CHECK: call float @llvm.fma.f32
// CHECK-NOT: @llvm.fma.f32(
// CHECK: ret void
// CHECK-NOT: gpuprune.jam
// CHECK-DAG: ![[DISABLE:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-DAG: ![[ONE:[0-9]+]] = !{!"gpuprune.loop", i32 1}
// CHECK-DAG: ![[ZERO:[0-9]+]] = !{!"gpuprune.loop", i32 0}
// CHECK-DAG: ![[INNER]] = distinct !{![[INNER]], {{.*}}![[ONE]], ![[DISABLE]]}
// CHECK-DAG: ![[OUTER]] = distinct !{![[OUTER]], {{.*}}![[ZERO]], ![[DISABLE]]}
// In the jammed loop, five loads for four products: the feature, and one of each centre.
// PTX: .pragma "nounroll"
// PTX: .pragma "nounroll"
// PTX-COUNT-5: ld.global
// PTX-NOT: ld.global
// PTX: bra
// PTX: .pragma "nounroll"
