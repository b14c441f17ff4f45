// A __constant__ table becomes read-only global memory under the same name, read in 128 bits and without waiting for the
// constant cache; the host finds it by its name as before, and its initial value stays.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-memory<symbol=table;space=readonly>,gpu-memory<symbol=small;space=readonly>,verify' -pass-remarks=gpu-memory -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=OPT
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-memory<symbol=table;space=readonly>,gpu-memory<symbol=small;space=readonly>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// DONE: remark: {{.*}}'table' is in read-only global memory
// OPT-DAG: @table = dso_local addrspace(1) externally_initialized constant [4000 x %struct.float4] zeroinitializer, align 16
// OPT-DAG: @small = dso_local addrspace(1) externally_initialized constant [2 x i32] [i32 3, i32 5]
// OPT-DAG: @other = dso_local addrspace(4)
// OPT-DAG: @llvm.compiler.used = appending global [3 x ptr] {{.*}}addrspacecast (ptr addrspace(1) @table to ptr)
// OPT-LABEL: @first(
// OPT: load float, ptr addrspace(1) {{.*}}, !invariant.load
// OPT-LABEL: @second(
// OPT: load {{.*}}, ptr addrspace(1) {{.*}}, !invariant.load
// CHECK-DAG: .visible .global .align 16 .b8 table[64000];
// CHECK-DAG: .visible .global .align 4 {{.*}} small[{{.*}}] = {3
// CHECK-DAG: .visible .const .align 4 .u32 other
// CHECK: .entry first(
// CHECK: ld.global.nc.v4.b32
// CHECK: .entry second(
// CHECK: ld.global.nc
__constant__ float4 table[4000];
__constant__ int small[2] = {3, 5};
__constant__ int other = 7;
extern "C" __global__ void first(float *out, int n) {
  float s = other;
  for (int i = 0; i < n; ++i)
    s += table[i].x * table[i].y - table[i].z / table[i].w;
  *out = s;
}
extern "C" __global__ void second(float4 *out, int i, bool c) {
  const float4 *p = c ? table + i : table + 2 * i;
  out[threadIdx.x] = p[threadIdx.x];
  out[blockIdx.x].x = small[blockIdx.x % 2];
}
