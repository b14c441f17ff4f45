// A loop that goes on by gridDim.x * blockDim.x is counted before it runs, so that copies have no tests between them; with
// remainder=none, or a barrier, they have.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4>,verify' -S %t.bc | FileCheck %s
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;remainder=none>,verify' -S %t.bc | FileCheck %s --check-prefix=NONE
// Sizes that leave remainders of all kinds, steps behind which the index wraps around, and none that is positive:
// RUN: echo '{ source: "%s", kernel: sums, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 }, { n: 65 }, { n: 1 } ] },' > %t.yaml
// RUN: echo 'grid: [ 2 ], block: [ 32 ], arguments: [ a, b, { i32: n } ], buffers: {' >> %t.yaml
// RUN: echo 'a: { type: f32, count: n, fill: { uniform: [-1, 1] }, role: in }, b: { type: f32, count: 64, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-unroll<loop=0;factor={f}>", parameters: { f: [2, 3, 4, 8] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 4" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"
// RUN: echo '{ source: "%s", kernel: wraps, sizes: { tune: { first: 536870912, step: 1342177280, n: 3892314112 }, check: [' > %t.yaml
// RUN: echo '{ first: 7, step: 9, n: 1000 }, { first: 0, step: 1, n: 16 }, { first: 9, step: 1, n: 3 }, { first: 4294967295, step: 3, n: 4294967295 },' >> %t.yaml
// RUN: echo '{ first: 4294967040, step: 511, n: 4294967200 }, { first: 2, step: 4294967295, n: 10 } ] },' >> %t.yaml
// RUN: echo 'grid: [ 1 ], block: [ 32 ], arguments: [ b, { u32: first }, { u32: step }, { u32: n } ], buffers: { b: { type: u32, count: 32, role: out } },' >> %t.yaml
// RUN: echo 'space: { pipeline: "gpu-unroll<loop=0;factor={f}>", parameters: { f: [2, 3, 4, 8] } } }' >> %t.yaml
// RUN: %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json
// RUN: %check_report %t.json "len(status['ok']) == 4" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"

// A factor that the counter does not hold:
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=256>,verify' -S %t.bc | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL: define {{.*}}@narrow(
// NARROW-NOT: {{iterations|udiv i8}}
// NARROW: ret void

// CHECK-LABEL: define {{.*}}@sums(
// CHECK: %iterations = mul nuw i32 %{{.*}}, 4
// The remainder:
// CHECK: fadd
// CHECK: br i1 {{.*}}, !llvm.loop
// CHECK: fadd
// CHECK-NOT: {{icmp|br i1}}
// CHECK: fadd
// CHECK-NOT: {{icmp|br i1}}
// CHECK: fadd
// CHECK-NOT: {{icmp|br i1}}
// CHECK: fadd
// CHECK: br i1 {{.*}}, !llvm.loop
// CHECK-NOT: fadd
// NONE-LABEL: define {{.*}}@sums(
// NONE-NOT: iterations
// NONE: fadd
// NONE: br i1
// NONE: fadd
// NONE: br i1
extern "C" __global__ void sums(const float *a, float *b, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i];
  b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK-LABEL: define {{.*}}@wraps(
// CHECK: %iterations = mul nuw i32 %{{.*}}, 4
extern "C" __global__ void wraps(unsigned *b, unsigned first, unsigned step, unsigned n) {
  unsigned hash = 0;
  for (unsigned i = first; i < n; i += step)
    hash = hash * 31 + i;
  b[threadIdx.x] = hash;
}

// CHECK-LABEL: define {{.*}}@meets(
// CHECK-NOT: iterations
// CHECK: call {{.*}}barrier
// CHECK: br i1
// CHECK: call {{.*}}barrier
// CHECK: ret void
extern "C" __global__ void meets(float *b, int n) {
  for (int i = blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    b[i + threadIdx.x] = 1;
    __syncthreads();
  }
}

extern "C" __global__ void narrow(unsigned *b, unsigned char first, unsigned char step, unsigned char n) {
  unsigned hash = 0;
  for (unsigned char i = first; i < n; i += step)
    hash = hash * 31 + i;
  b[threadIdx.x] = hash;
}

// Once the step is before the loop, LLVM knows the number of iterations, too; the loop is counted all the same.
// CHECK-LABEL: define {{.*}}@clears(
// CHECK: %iterations = mul nuw i32 %{{.*}}, 4
extern "C" __global__ void clears(unsigned *b) {
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    b[k] = 0;
}
