// A trip count that the factor does not divide, constant or not, gets a remainder loop, which stays rolled as well.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4>,verify' -S %t.bc | FileCheck %s --check-prefix=OPT
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=4>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// OPT-LABEL: define {{.*}}@runtime(
// OPT-COUNT-4: call float @llvm.fma.f32
// OPT: br {{.*}}, !llvm.loop ![[UNROLLED:[0-9]+]]
// OPT: call float @llvm.fma.f32
// OPT: br {{.*}}, !llvm.loop ![[REMAINDER:[0-9]+]]
// OPT-LABEL: define {{.*}}@constant(
// OPT-COUNT-4: call float @llvm.fma.f32
// OPT: br {{.*}}, !llvm.loop ![[UNROLLED2:[0-9]+]]
// OPT: call float @llvm.fma.f32
// OPT-DAG: ![[DISABLE:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
// OPT-DAG: ![[UNROLLED]] = distinct !{![[UNROLLED]], {{.*}}![[DISABLE]]{{[,}]}}
// OPT-DAG: ![[REMAINDER]] = distinct !{![[REMAINDER]], {{.*}}![[DISABLE]]{{[,}]}}
// CHECK-LABEL: .entry runtime
// CHECK: .pragma "nounroll"
// CHECK-COUNT-4: fma.rn.f32
// CHECK: .pragma "nounroll"
// CHECK-COUNT-1: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: .entry constant
extern "C" __global__ void runtime(const float *a, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 3.0f;
  *out = s;
}
extern "C" __global__ void constant(const float *a, float *out) {
  float s = 0;
  for (int i = 0; i < 15; ++i)
    s = s * a[i] + 3.0f;
  *out = s;
}
