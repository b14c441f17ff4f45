// What is read through a parameter that nobody writes is read by ld.global.nc; what may be written is refused. Without
// __restrict__ it is the types that tell the two apart here.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-memory<arg=0;space=readonly>' -S %t.bc -o %t.ll 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-memory<arg=0;space=readonly;kernel=types>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-LABEL: @types(
// CHECK: load i32, ptr addrspace(1) {{.*}}, !invariant.load
// CHECK-LABEL: @same(
// CHECK-NOT: invariant.load
// CHECK-LABEL: @restricted(
// CHECK: load float, ptr addrspace(1) {{.*}}, !invariant.load
// CHECK-NOT: load {{.*}}invariant.load
// REFUSED: gpu-memory refused 'same' (MayBeWritten): this may write what is read: {{.*}}store float
// REFUSED-NOT: 'restricted'
// REFUSED: gpu-memory refused 'counts' (Synchronisation): this may wait for another thread's write of what is read: {{.*}}atomicrmw
// REFUSED: gpu-memory refused 'unread' (NothingRead): nothing is read through parameter 0
// REFUSED: gpu-memory refused 'waits' (Volatile): volatile and atomic loads are not read-only: {{.*}}load volatile
// REFUSED: gpu-memory refused 'number' (NoSuchArgument): the kernel has 1 parameters, and number 0, counted from 0, is no pointer
// PTX: .entry types(
// PTX: ld.global.nc.b32
// PTX: .entry same(
// PTX-NOT: ld.global.nc
// PTX: .entry restricted(
extern "C" __global__ void types(const int *a, float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = a[i] + 0.5f;
}
extern "C" __global__ void same(const float *a, float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = a[i] + 0.5f;
}
extern "C" __global__ void restricted(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += a[i];
}
extern "C" __global__ void counts(const int *a, float *out) {
  __shared__ unsigned ticket;
  out[atomicAdd(&ticket, 1u)] = a[threadIdx.x];
}
extern "C" __global__ void unread(float *out) { out[threadIdx.x] = 1; }
extern "C" __global__ void waits(volatile int *flag, float *out) {
  while (!*flag) {
  }
  *out = 1;
}
extern "C" __global__ void number(int n) {}
