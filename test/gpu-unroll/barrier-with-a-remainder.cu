// A loop with barriers or shuffles gets a remainder where all threads of the block run it equally often; all of them then
// change over to it together.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4>,verify' -S %t.bc -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CONVERGENT
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=4>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin
// CHECK-LABEL: @runtime(
// CHECK-COUNT-4: call void @llvm.nvvm.barrier
// CHECK: br {{.*}}, !llvm.loop
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: barrier
// CHECK: br {{.*}}, !llvm.loop
// CHECK: ret void
extern "C" __global__ void runtime(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    a[threadIdx.x] += a[threadIdx.x ^ 1];
    __syncthreads();
  }
}
// CHECK-LABEL: @constant(
// CHECK-COUNT-5: call {{.*}} @llvm.nvvm.shfl.sync.down.f32(
// CHECK-NOT: @llvm.nvvm.shfl.sync.down.f32(
// CHECK: ret void
// The operations are convergent again.
// CONVERGENT-DAG: declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #[[BARRIER:[0-9]+]]
// CONVERGENT-DAG: declare float @llvm.nvvm.shfl.sync.down.f32({{.*}}) #[[SHUFFLE:[0-9]+]]
// CONVERGENT-DAG: attributes #[[BARRIER]] = { convergent
// CONVERGENT-DAG: attributes #[[SHUFFLE]] = { convergent
// CONVERGENT-NOT: gpuprune.convergent
// PTX-LABEL: .entry constant
// PTX-COUNT-5: shfl.sync
// PTX-NOT: shfl.sync
extern "C" __global__ void constant(float *a) {
  float s = a[threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1)
    s += __shfl_down_sync(0xffffffffu, s, offset);
  a[threadIdx.x] = s;
}
