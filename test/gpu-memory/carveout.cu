// A preferred carve-out is a matter of the launch alone: the contract has it, and the code stays as it is.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-memory<carveout=25>' -S %t.bc -o %t.after
// RUN: FileCheck %s --input-file=%t.after
// RUN: sed 's/ "gpuprune-shared-carveout"="25"//' %t.after | diff %t.before -
// CHECK: "gpuprune-shared-carveout"="25"
extern "C" __global__ void k(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

// The last one is what counts, and 0 is a preference, too.
// RUN: %opt -passes='gpu-prepare,gpu-memory<carveout=25>,gpu-memory<carveout=0;kernel=k>' -S %t.bc | FileCheck %s --check-prefix=LAST
// LAST: "gpuprune-shared-carveout"="0"
// RUN: %opt -passes='gpu-memory<carveout=0;kernel=k>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// PRINTED: gpu-memory<carveout=0;kernel=k>

// RUN: not %opt -passes='gpu-memory<carveout=101>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not %opt -passes='gpu-memory<carveout=50;arg=0>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not %opt -passes='gpu-memory<carveout=50;space=shared>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed 's/"gpuprune-shared-carveout"="25"/"gpuprune-shared-carveout"="200"/' %t.after > %t.wrong
// RUN: %opt -passes='gpu-memory<carveout=50>' -disable-output %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// MOST: option 'carveout=101' needs a whole number of at least 0 and at most 100
// ALONE: gpu-memory needs one of {{.*}} and gpu-memory<carveout=P>
// WRONG: refused 'k' (BadLaunchContract): {{.*}}gpuprune-shared-carveout{{.*}}a percentage from 0 to 100

// A compile with a host side is refused: the host would not ask for it.
// RUN: not %clang -x cuda --cuda-gpu-arch=sm_90 -O2 -c %s -o %t.o %with_plugin -mllvm '-gpuprune-pipeline=gpu-memory<carveout=25>' 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: gpuprune: pipeline 'gpu-memory<carveout=25>' changes how the kernels have to be launched
