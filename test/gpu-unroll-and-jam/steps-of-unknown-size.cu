// A loop that goes on by gridDim.x * blockDim.x is jammed where a test before it shows that it ends without wrapping around.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=2>,verify' -S %t.bc -o %t.ll 2> %t.err
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --check-prefix=REFUSED --implicit-check-not=refused --input-file=%t.err
// Sizes that leave remainders of all kinds:
// RUN: echo '{ source: "%s", kernel: strides, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 }, { n: 65 }, { n: 1 } ] },' > %t.yaml
// RUN: echo 'grid: [ 2 ], block: [ 32 ], arguments: [ a, b, { i32: n } ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: f32, count: "n + 16", fill: { uniform: [-1, 1] }, role: in }, b: { type: f32, count: n, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-unroll-and-jam<loop=0;factor={f}>", parameters: { f: [2, 3, 4] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 3" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"

// CHECK-LABEL: define {{.*}}@strides(
// CHECK: %iterations = mul nuw i32
// Two sums side by side, and one in the rest:
// CHECK: fadd
// CHECK: fadd
// CHECK: fadd
// CHECK-NOT: fadd
extern "C" __global__ void strides(const float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int j = 0; j < 16; ++j)
      s += a[i + j];
    b[i] = s;
  }
}

// CHECK-LABEL: define {{.*}}@unsigned_and_wide(
// CHECK: %iterations = mul nuw i64
extern "C" __global__ void unsigned_and_wide(const float *__restrict__ a, float *__restrict__ b, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int j = 0; j < 16; ++j)
      s += a[i + j];
    b[i] = s;
  }
}

// The bound changes on the way.
// REFUSED: refused 'bound' (DependentControl)
extern "C" __global__ void bound(const float *__restrict__ a, float *__restrict__ b, const int *__restrict__ n) {
  for (int i = threadIdx.x, m = 64; i < m; i += gridDim.x * blockDim.x) {
    float s = 0;
    for (int j = 0; j < 16; ++j)
      s += a[i + j];
    b[i] = s;
    m = n[i];
  }
}

// The step does.
// REFUSED: refused 'step' (DependentControl)
extern "C" __global__ void step(const float *__restrict__ a, float *__restrict__ b, int n) {
  for (int i = threadIdx.x + 1; i < n; i *= 2) {
    float s = 0;
    for (int j = 0; j < 16; ++j)
      s += a[i + j];
    b[i] = s;
  }
}
