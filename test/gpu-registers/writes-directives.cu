// max and min-blocks become PTX directives that ptxas takes, alone and together, with and without launch bounds.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-registers<max=32>,gpu-registers<min-blocks=4;kernel=bounded>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %clang_device -S %s -o %t.bounded.s -Rpass=gpu-registers %with_plugin -mllvm '-gpuprune-pipeline=gpu-registers<min-blocks=4;max=40;kernel=bounded>' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.bounded.s --check-prefix=ONE
// REMARK: remark: at most 40 registers, at least 4 blocks
// CHECK-LABEL: .entry unbounded
// CHECK-NOT: .minnctapersm
// CHECK: .maxnreg 32
// CHECK-LABEL: .entry bounded
// CHECK-DAG: .maxntid 256
// CHECK-DAG: .minnctapersm 4
// CHECK-DAG: .maxnreg 32
// ONE-LABEL: .entry unbounded
// ONE-NOT: .maxnreg
// ONE-LABEL: .entry bounded
// ONE-DAG: .minnctapersm 4
// ONE-DAG: .maxnreg 40
extern "C" __global__ void unbounded(float *a) { a[threadIdx.x] = 1; }
extern "C" __global__ void __launch_bounds__(256) bounded(float *a) { a[threadIdx.x] = 1; }
