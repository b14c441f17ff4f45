// What a kernel reads from __constant__ variables with an initial value is that value: folded where the loop is unrolled,
// else read from a copy in constant memory. The author's variables stay, and what other kernels read; so does a variable
// without an initial value.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-constants<symbol=all;kernel=stencil>' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-constants<kernel=stencil>,gpu-constants<symbol=table;kernel=dynamic>,gpu-constants<kernel=several>' -Rpass=gpu-constants 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// CHECK: @dx = {{.*}}addrspace(4) externally_initialized constant [4 x i32]
// CHECK: @weight = {{.*}}addrspace(4) externally_initialized constant [4 x float] zeroinitializer
// CHECK: @__gpuprune_initial_stencil_dx = internal unnamed_addr addrspace(4) constant [4 x i32] [i32 0, i32 1, i32 0, i32 -1], align 4
// CHECK-LABEL: define{{.*}} @stencil(
// CHECK-NOT: @dx
// CHECK: ptr addrspace(4) @weight
// CHECK-NOT: @dx
// CHECK: ptr addrspace(4) @__gpuprune_initial_stencil_dx
// CHECK-NOT: @dx
// CHECK-LABEL: define{{.*}} @other(
// CHECK: @dx
// CHECK: "gpuprune-unwritten-variables"="dx"
// REMARK: constants.cu:[[#]]:{{.*}}remark: {{.*}}__constant__ variables are read as their initial values [-Rpass=gpu-constants]
// REMARK: remark: {{.*}}'table' is read as its initial value

// PTX: .visible .const .align 4 .b8 dx[16] = {
// PTX: .visible .entry stencil(
// PTX-NOT: [dx
// PTX-NOT: __gpuprune_initial
// PTX: ld.const{{.*}}weight
// PTX-NOT: [dx
// PTX: .visible .entry other(
// PTX: ld.const{{.*}}[dx
__constant__ int dx[4] = {0, 1, 0, -1};
__constant__ float weight[4];
extern "C" __global__ void stencil(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += weight[k] * in[i + n * dx[k]];
  out[i] = sum;
}
extern "C" __global__ void other(int *out) { out[threadIdx.x] = dx[1] + dx[3]; }

// An index that is not known stays a load from the copy; the second dimension of one that is.
// PTX: .visible .entry dynamic(
// PTX: ld.const{{.*}}
// PTX: ret;
__constant__ float table[3][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2, 2}, {3}};
extern "C" __global__ void dynamic(float *out, int n) { out[threadIdx.x] = table[1][n] + table[0][2]; }

// Structures, static members of templates, variables of a namespace, and what an inlined function reads.
// PTX: .visible .entry several(
// PTX-NOT: ld.const
// PTX: st.global.b32 {{.*}}, 1097859072;
// PTX-NOT: ld.const
// PTX: ret;
struct Pair {
  char c;
  float f;
};
__constant__ Pair pairs[2] = {{1, 2}, {3, 4}};
template <int N> struct Of {
  static __constant__ int value;
};
template <int N> __constant__ int Of<N>::value = N;
namespace inner {
__constant__ short word = 6;
}
__constant__ Pair single = {1, 1.5f};
__device__ float read() { return pairs[1].f + pairs[0].c + Of<4>::value; }
extern "C" __global__ void several(float *out) {
  Pair copy = single;
  out[threadIdx.x] = (read() + inner::word) * copy.c;
}

// A compile with a host side is refused: nobody would prove that the program does not write them.
// RUN: not %clang -x cuda --cuda-gpu-arch=sm_90 -O2 -c %s -o %t.o %with_plugin -mllvm '-gpuprune-pipeline=gpu-constants<symbol=all>' 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: gpuprune: pipeline 'gpu-constants<symbol=all>' changes how the kernels have to be launched

// RUN: %opt -passes='gpu-constants<kernel=k>,gpu-constants<symbol=dx>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// PRINTED: gpu-constants<symbol=all;kernel=k>,gpu-constants<symbol=dx>
// RUN: not %opt -passes='gpu-constants<symbol=>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: option 'symbol=NAME|all' needs the name of a variable, or all

// Twice is no more than once, and a host module does not change.
// RUN: %opt -passes='gpu-prepare,gpu-constants<symbol=dx;kernel=stencil>,gpu-constants<symbol=dx;kernel=stencil>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: gpu-constants refused 'stencil' (NothingRead): nothing is read from 'dx'
// RUN: sed 's/nvptx64-nvidia-cuda/x86_64-unknown-linux-gnu/' %t.ll > %t.host.ll
// RUN: %opt -passes=verify -S %t.host.ll -o %t.before.ll
// RUN: %opt -passes='gpu-constants<symbol=all>' -S %t.host.ll -o %t.after.ll
// RUN: diff %t.before.ll %t.after.ll
