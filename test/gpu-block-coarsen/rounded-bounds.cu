// Barriers in a loop whose bound is a multiple of the block: all threads of a block go equally often.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-block-coarsen<x=2>,verify' -disable-output -pass-remarks=gpu-block-coarsen %t.bc 2>&1 | FileCheck %s --implicit-check-not=refused
// RUN: echo '{ source: "%s", kernel: rounded, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 }, { n: 65 } ] },' > %t.yaml
// RUN: echo 'grid: [ 4 ], block: [ 64 ], arguments: [ a, b, { i32: n } ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: f32, count: n, fill: { uniform: [-1, 1] }, role: in }, b: { type: f32, count: n, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-block-coarsen<x={x}>", parameters: { x: [1, 2, 4] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 3" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"

#define BODY                                                                                                           \
  __shared__ float tile[64];                                                                                           \
  tile[threadIdx.x] = i < n ? a[i] : 0;                                                                                \
  __syncthreads();                                                                                                     \
  if (i < n)                                                                                                           \
    b[i] = tile[threadIdx.x ^ 1];                                                                                      \
  __syncthreads();

// CHECK: refused 'ragged' (DependentBarrier)
extern "C" __global__ void ragged(const float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    BODY
  }
}

// CHECK: refused 'inclusive' (DependentBarrier)
extern "C" __global__ void inclusive(const float *__restrict__ a, float *__restrict__ b, int n) {
  int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= end; i += gridDim.x * blockDim.x) {
    BODY
  }
}

// CHECK: refused 'other_step' (DependentBarrier)
extern "C" __global__ void other_step(const float *__restrict__ a, float *__restrict__ b, int n) {
  int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x) {
    BODY
  }
}

// What threads have gone in loops that they leave at different times differs.
// CHECK: refused 'behind' (DependentBarrier)
extern "C" __global__ void behind(const float *__restrict__ a, float *__restrict__ b, int n) {
  int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n && a[i] > 0)
    i += blockDim.x;
  if (i < end) {
    BODY
  }
}

// CHECK: a block does the work of 2x1x1
extern "C" __global__ void rounded(const float *__restrict__ a, float *__restrict__ b, int n) {
  int end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x) {
    BODY
  }
}
