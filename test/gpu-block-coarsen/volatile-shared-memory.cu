// Volatile accesses of shared memory are seen by the block alone, so that warp-synchronous code is
// coarsened; each replica's are in the order in which its author wrote them. A loop that waits
// for one is refused: its replica would hold up those that it may wait for.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=warpsum>,gpu-block-coarsen<x=2;kernel=own>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2;kernel=waits>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: %opt -passes='gpu-prepare,gpu-thread-coarsen<dim=x;factor=2;kernel=warpsum>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=THREADS

// CHECK-LABEL: define {{.*}}@warpsum(
// CHECK: load volatile float, ptr {{.*}}[[FIRST:%[0-9]+]],
// CHECK: load volatile float, ptr {{.*}}[[SECOND:%[a-z0-9]+]],
// CHECK: store volatile float {{.*}}, ptr {{.*}}%
// CHECK-NEXT: {{.*}}%copy
// CHECK-NEXT: store volatile float {{.*}}, ptr {{.*}}%copy
// CHECK: call void @llvm.nvvm.bar.warp.sync
// CHECK: ret void
// THREADS: 'warpsum' ({{Volatile|WarpOperation}})
extern "C" __global__ void warpsum(const float *in, float *out) {
  __shared__ float s[32];
  volatile float *v = s;
  int t = threadIdx.x;
  v[t] = in[blockIdx.x * 32 + t];
  __syncwarp();
  for (int h = 16; h > 0; h >>= 1) {
    float other = t < h ? v[t + h] : 0;
    __syncwarp();
    v[t] += other;
    __syncwarp();
  }
  out[blockIdx.x * 32 + t] = v[0];
}

// CHECK-LABEL: define {{.*}}@own(
// CHECK-COUNT-2: store volatile i32
// CHECK: ret void
extern "C" __global__ void own(int *out) {
  volatile int here = blockIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = here;
}

// WAITS: 'waits' (InterBlockWait): a loop goes on until this finds what another thread may have yet to write
extern "C" __global__ void waits(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = blockIdx.x;
    flag = 1;
  }
  while (flag == 0)
    ;
  out[blockIdx.x * 32 + threadIdx.x] = out[blockIdx.x];
}
