// kernel= takes the name in the source or the symbol; a name of two kernels means both, a name of none is refused.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=k>' -S %t.bc | FileCheck %s --check-prefix=BOTH
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=_ZN5first1kEPi>' -S %t.bc | FileCheck %s --check-prefix=ONE
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=scale>' -S %t.bc | FileCheck %s --check-prefix=TEMPLATE
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=nothing>' -pass-remarks-missed=gpu- -S %t.bc 2>&1 | FileCheck %s --check-prefix=NONE
// BOTH: define {{.*}}@_ZN5first1kEPi({{.*}} #[[C:[0-9]+]]
// BOTH: define {{.*}}@_ZN6second1kEPi({{.*}} #[[C]]
// BOTH: define {{.*}}@_Z5scaleIiEvPT_({{.*}} #[[O:[0-9]+]]
// BOTH: attributes #[[C]] = {{.*}}"gpuprune-grid-divisor"="2,1,1"
// BOTH-NOT: grid-divisor
// ONE: define {{.*}}@_ZN5first1kEPi({{.*}} #[[C:[0-9]+]]
// ONE: attributes #[[C]] = {{.*}}"gpuprune-grid-divisor"="2,1,1"
// ONE-NOT: grid-divisor
// TEMPLATE: define {{.*}}@_Z5scaleIiEvPT_({{.*}} #[[C:[0-9]+]]
// TEMPLATE: attributes #[[C]] = {{.*}}"gpuprune-grid-divisor"="2,1,1"
// NONE: remark: {{.*}}gpu-block-coarsen refused (NoSuchKernel): no kernel is called 'nothing'; known: first::k, second::k, scale<int>
// NONE-NOT: grid-divisor
namespace first { __global__ void k(int *p) { p[blockIdx.x] = 1; } }
namespace second { __global__ void k(int *p) { p[blockIdx.x] = 2; } }
template <class T> __global__ void scale(T *p) { p[blockIdx.x] *= 2; }
template __global__ void scale<int>(int *);
