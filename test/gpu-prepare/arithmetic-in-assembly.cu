// CUDA's headers write arithmetic as inline assembly (half precision, carries). It is arithmetic to every pass; what reads
// or writes something else is not.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %opt -passes='gpu-block-coarsen<x=2>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused
// RUN: %opt -passes='gpu-thread-coarsen<factor=2;kernel=warp>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-block-coarsen<x=2>,gpu-prefetch<loop=0;kernel=halves>'
// RUN: %ptxas %t.s -o %t.cubin
// What the prepared kernel computes, all of these compute:
// RUN: echo '{ source: "%s", kernel: halves, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 } ] },' > %t.yaml
// RUN: echo 'grid: [ "cdiv(n, 64)" ], block: [ 64 ], arguments: [ { i32: n }, a, b ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: f16, count: n, fill: { uniform: [-1, 1] }, role: in }, b: { type: f16, count: n, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x};grid=any>,gpu-thread-coarsen<factor={t}>,gpu-prefetch<loop=0;to={to}>",' >> %t.yaml
// RUN: echo 'parameters: { x: [1, 2], t: [1, 4], to: [none, register] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 8" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"

#include <cuda_fp16.h>

// CHECK: define {{.*}}@halves(
// CHECK: call {{.*}} asm {{.*}} #[[ARITHMETIC:[0-9]+]]
extern "C" __global__ void halves(int n, const __half *a, __half *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half s = a[i];
  for (int j = i; j >= 0; j -= 97)
    s = __hfma(s, a[j], a[i]);
  b[i] = s;
}

// A number of its own stays where it is; one that is volatile stays at all.
// CHECK: define {{.*}}@indices(
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.lanemask.lt()
// CHECK: call {{.*}} asm sideeffect "xor.b32{{.*}} #[[VOLATILE:[0-9]+]]
// CHECK: call {{.*}} asm "{ .reg .pred %p;{{.*}} #[[ARITHMETIC]]
extern "C" __global__ void indices(unsigned *b) {
  unsigned block, lanes, x, y;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
  asm volatile("xor.b32 %0, %1, 0x55;" : "=r"(x) : "r"(block));
  asm("{ .reg .pred %%p; setp.ne.u32 %%p, %1, 0; @%%p add.u32 %0, %2, 1; @!%%p mov.u32 %0, WARP_SZ; }" : "=r"(y) : "r"(x), "r"(lanes));
  b[block] = y;
}

// REFUSED: gpu-block-coarsen refused 'memory' (InlineAsm)
extern "C" __global__ void memory(unsigned *b) {
  asm volatile("st.global.u32 [%0], 1;" ::"l"(b + blockIdx.x) : "memory");
}

// REFUSED: gpu-block-coarsen refused 'clobbers' (InlineAsm)
extern "C" __global__ void clobbers(unsigned *b) {
  unsigned x;
  asm volatile("mov.u32 %0, 1;" : "=r"(x)::"memory");
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'special_register' (InlineAsm)
extern "C" __global__ void special_register(unsigned *b) {
  unsigned x;
  asm("mov.u32 %0, %%smid;" : "=r"(x));
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'address' (InlineAsm)
__device__ unsigned variable;
extern "C" __global__ void address(unsigned long long *b) {
  unsigned long long x;
  asm("mov.u64 %0, variable;" : "=l"(x));
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'carry' (InlineAsm)
extern "C" __global__ void carry(unsigned *b) {
  unsigned x;
  asm("addc.u32 %0, 0, 0;" : "=r"(x));
  b[blockIdx.x] = x;
}

// As the intrinsic: the lanes of a warp stay together under block coarsening.
// THREADS: gpu-thread-coarsen refused 'warp' (WarpOperation)
extern "C" __global__ void warp(unsigned *b) {
  unsigned x;
  asm("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(x));
  b[blockIdx.x] = x;
}

// REFUSED: gpu-block-coarsen refused 'label' (InlineAsm)
extern "C" __global__ void label(unsigned *b) {
  unsigned x;
  asm("{ DONE: mov.u32 %0, 1; }" : "=r"(x));
  b[blockIdx.x] = x;
}

// CHECK-DAG: attributes #[[ARITHMETIC]] = { nofree nosync nounwind willreturn memory(none) }
// CHECK-DAG: attributes #[[VOLATILE]] = { nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
