// Barriers that order nothing between the threads of the block go in every variant; all others stay.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline='
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// Without the plugin's pipeline nothing goes:
// RUN: %clang_device -S %s -o - | FileCheck %s --check-prefix=AUTHOR
// AUTHOR-COUNT-26: bar.{{sync|red}}

// The first and the third of four in a row: at the start, and with nothing since the last. The last one protects a tile
// that nobody fills again.
// CHECK-LABEL: .entry ends(
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.
// CHECK: ret;
extern "C" __global__ void ends(const float *a, float *__restrict__ c) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  __syncthreads();
  tile[t] = a[t];
  __syncthreads();
  __syncthreads();
  float x = tile[t ^ 1];
  __syncthreads();
  c[t] = x;
}

// What follows may fill the tile that has been read: the last one of a loop stays, and goes after it.
// CHECK-LABEL: .entry loop(
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-NOT: bar.
// CHECK: ret;
extern "C" __global__ void loop(const float *a, float *__restrict__ c, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    tile[t] = a[i + t];
    __syncthreads();
    s += tile[t ^ 1];
    __syncthreads();
  }
  __syncthreads();
  c[t] = s;
}

// It orders what the block writes to global memory, where others read it.
// CHECK-LABEL: .entry global(
// CHECK-COUNT-1: bar.sync
// CHECK: ret;
extern "C" __global__ void global(float *a) {
  a[threadIdx.x] = 1;
  __syncthreads();
  a[threadIdx.x + 64] = a[threadIdx.x ^ 1];
}

// Between tiles of which one is read and another written there is nothing to order.
// CHECK-LABEL: .entry apart(
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.
// CHECK: ret;
extern "C" __global__ void apart(const float *__restrict__ a, float *__restrict__ c) {
  __shared__ float first[64], second[64];
  int t = threadIdx.x;
  first[t] = a[t];
  __syncthreads();
  second[t] = a[t + 64];
  __syncthreads();
  c[t] = first[t ^ 1] + second[t ^ 2];
}

// The atomic operation tells others that the block's threads have written.
// CHECK-LABEL: .entry flag(
// CHECK-COUNT-1: bar.sync
// CHECK: ret;
extern "C" __global__ void flag(float *__restrict__ a, int *__restrict__ done) {
  a[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(done, 1);
}

// The result of bar.red is used; so it stays, and does for a barrier.
// CHECK-LABEL: .entry counts(
// CHECK: bar{{.*}}.red
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void counts(const float *a, int *__restrict__ c) {
  int n = __syncthreads_count(a[threadIdx.x] > 0);
  __syncthreads();
  c[threadIdx.x] = n;
}

// Not all threads are proved to come to it alike.
// CHECK-LABEL: .entry some(
// CHECK-COUNT-1: bar.sync
// CHECK: ret;
extern "C" __global__ void some(float *a, int n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();
  a[threadIdx.x] = 1;
}

// A barrier of some threads is none of all.
// CHECK-LABEL: .entry part(
// CHECK: bar.sync 0;
// CHECK: bar{{.*}} 1, 64;
// CHECK: bar.sync 0;
// CHECK: ret;
extern "C" __global__ void part(float *a) {
  a[threadIdx.x] = 1;
  __syncthreads();
  asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncthreads();
  a[threadIdx.x + 64] = a[threadIdx.x ^ 1];
}

// The last copy of an unrolled loop leaves a barrier that nothing needs.
// CHECK-LABEL: .entry unrolled(
// CHECK-COUNT-7: bar.sync
// CHECK-NOT: bar.
// CHECK: ret;
extern "C" __global__ void unrolled(const float *a, float *__restrict__ c) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float s = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    tile[t] = a[64 * i + t];
    __syncthreads();
    s += tile[t ^ 1];
    __syncthreads();
  }
  c[t] = s;
}

// All arrays of dynamic shared memory begin at one address, so that one is read behind the other's barrier.
// CHECK-LABEL: .entry dynamic(
// CHECK: st.shared
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: ret;
extern __shared__ float dynamic_a[];
extern __shared__ int dynamic_b[];
extern "C" __global__ void dynamic(const float *a, int *c) {
  dynamic_a[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = dynamic_b[threadIdx.x ^ 1];
}
