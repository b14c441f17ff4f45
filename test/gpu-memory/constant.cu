// What is read through a parameter is read from a variable in constant memory, to which the launch contract has the
// buffer copied. The fields of a structure, a pointer that walks, and elements of 128 bits are followed.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-memory<arg=1;space=constant;bytes=1024>' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-memory<arg=1;space=constant;bytes=1024>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: @__gpuprune_constant_table_1 = addrspace(4) externally_initialized constant [1024 x i8] zeroinitializer, align 16
// CHECK: @__gpuprune_constant_walks_1 =
// CHECK: @__gpuprune_constant_wide_1 =
// CHECK-LABEL: @table(
// CHECK-NOT: load float, ptr addrspace(1)
// CHECK: load float, ptr addrspace(4) {{.*}}!invariant.load
// CHECK: store float {{.*}}ptr addrspace(1)
// CHECK-LABEL: @walks(
// CHECK: load i32, ptr addrspace(4)
// CHECK-LABEL: @wide(
// CHECK: load float, ptr addrspace(4)
// CHECK: "gpuprune-constant-copies"="1:1024:__gpuprune_constant_table_1"
// PTX: .visible .const .align 16 .b8 __gpuprune_constant_table_1[1024];
// PTX: .entry table(
// PTX: ld.const.b32
// PTX-NOT: ld.global
// PTX: .entry walks(
// PTX: ld.const
// PTX: .entry wide(
// PTX: ld.const.v4
extern "C" __global__ void table(float *__restrict__ out, const float *__restrict__ t, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += t[i];
  out[threadIdx.x] = sum;
}
struct Node {
  float value;
  int next;
};
extern "C" __global__ void walks(float *__restrict__ out, const Node *__restrict__ node, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += node->value;
    node = n & 1 ? node + node->next : node + 1;
  }
  out[threadIdx.x] = sum;
}
extern "C" __global__ void wide(float *__restrict__ out, const float4 *__restrict__ t, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += t[i].x + t[i].y + t[i].z + t[i].w;
  out[threadIdx.x] = sum;
}
