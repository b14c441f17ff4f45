// Loops are numbered 0, 1, ... in source order, outer before inner, in device functions too; the number stays with the
// loop through coarsening and the -O3 pipeline.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc | FileCheck %s
// RUN: %opt -mcpu=sm_90 -mattr=+ptx88 -passes='default<O3>' -gpuprune-pipeline='gpu-block-coarsen<x=2>,gpu-unroll<loop=0;factor=1>,gpu-unroll<loop=1;factor=1>,gpu-unroll<loop=2;factor=1>,gpu-unroll<loop=3;factor=1>' -S %t.bc | FileCheck %s --check-prefix=O3
// CHECK-LABEL: define {{.*}}@k(
// CHECK: !llvm.loop ![[INNER:[0-9]+]]
// CHECK: !llvm.loop ![[OUTER:[0-9]+]]
// CHECK: !llvm.loop ![[CALLED:[0-9]+]]
// CHECK: !llvm.loop ![[LAST:[0-9]+]]
// CHECK-DAG: ![[N0:[0-9]+]] = !{!"gpuprune.loop", i32 0}
// CHECK-DAG: ![[N1:[0-9]+]] = !{!"gpuprune.loop", i32 1}
// CHECK-DAG: ![[N2:[0-9]+]] = !{!"gpuprune.loop", i32 2}
// CHECK-DAG: ![[N3:[0-9]+]] = !{!"gpuprune.loop", i32 3}
// CHECK-DAG: ![[OUTER]] = distinct !{![[OUTER]], {{.*}}![[N0]]{{[,}]}}
// CHECK-DAG: ![[INNER]] = distinct !{![[INNER]], {{.*}}![[N1]]{{[,}]}}
// CHECK-DAG: ![[CALLED]] = distinct !{![[CALLED]], {{.*}}![[N2]]{{[,}]}}
// CHECK-DAG: ![[LAST]] = distinct !{![[LAST]], {{.*}}![[N3]]{{[,}]}}
// O3-DAG: ![[N0:[0-9]+]] = !{!"gpuprune.loop", i32 0}
// O3-DAG: ![[L0:[0-9]+]] = distinct !{![[L0]], {{.*}}![[N0]]{{[,}]}}
// O3-DAG: ![[N1:[0-9]+]] = !{!"gpuprune.loop", i32 1}
// O3-DAG: ![[L1:[0-9]+]] = distinct !{![[L1]], {{.*}}![[N1]]{{[,}]}}
// O3-DAG: ![[N2:[0-9]+]] = !{!"gpuprune.loop", i32 2}
// O3-DAG: ![[L2:[0-9]+]] = distinct !{![[L2]], {{.*}}![[N2]]{{[,}]}}
// O3-DAG: ![[N3:[0-9]+]] = !{!"gpuprune.loop", i32 3}
// O3-DAG: ![[L3:[0-9]+]] = distinct !{![[L3]], {{.*}}![[N3]]{{[,}]}}
static __device__ float called(const float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 2.0f;
  return s;
}
extern "C" __global__ void k(const float *a, float *out, int n) {
  float s = a[blockIdx.x];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      s = s * a[j] + a[i];
  s += called(a, n);
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 3.0f;
  out[blockIdx.x] = s;
}
