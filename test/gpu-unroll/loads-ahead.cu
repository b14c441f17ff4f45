// Copies of a loop that is counted before it runs load ahead of the stores of the copies before them, where these store to other
// places: two iterations never have the same index.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=2>,verify' -S %t.bc | FileCheck %s --implicit-check-not=gpuprune.ahead
// RUN: %opt -passes='gpu-prepare,gpu-restrict<loop=0>,gpu-unroll<loop=0;factor=2>,verify' -S %t.bc | FileCheck %s --check-prefix=APART
//
// The results are the author's, of all kernels:
// RUN: echo '{ source: "%s", kernel: KERNEL, sizes: { tune: { n: 4096 }, check: [ { n: 1024 }, { n: 1000 }, { n: 65 }, { n: 1 } ] },' > %t.launch
// RUN: echo 'grid: [ 2 ], block: [ 32 ], arguments: [ x, y, z, { i32: n } ], buffers: {' >> %t.launch
// RUN: echo 'x: { type: u32, count: 4*n+64, fill: { uniform: [0, 99], seed: 1 }, role: inout },' >> %t.launch
// RUN: echo 'y: { type: u32, count: n, fill: { uniform: [0, 999] }, role: in },' >> %t.launch
// RUN: echo 'z: { type: u32, count: 4*n+64, fill: { uniform: [0, 99], seed: 3 }, role: inout } },' >> %t.launch
// RUN: echo 'space: { pipeline: "gpu-restrict<loop={r}>,gpu-unroll<loop=0;factor={f}>",' >> %t.launch
// RUN: echo 'parameters: { r: [none, all], f: [2, 3, 4, 8] } } }' >> %t.launch
// DEFINE: %{kernel} =
// DEFINE: %{check} = sed 's/KERNEL/%{kernel}/' %t.launch > %t.yaml && \
// DEFINE:   %gpuprune tune %t.yaml --quiet --jobs 1 --stop-after check --check=all --format json --all -o %t.json && \
// DEFINE:   %check_report %t.json "len(status['ok']) >= 4" "all(r['cpu_check'] == 'bitwise' for r in status['ok'])"
// REDEFINE: %{kernel} = adds
// RUN: %{check}
// REDEFINE: %{kernel} = wideIndex
// RUN: %{check}
// REDEFINE: %{kernel} = fields
// RUN: %{check}
// REDEFINE: %{kernel} = both
// RUN: %{check}
// REDEFINE: %{kernel} = next
// RUN: %{check}
// REDEFINE: %{kernel} = overlaps
// RUN: %{check}
// REDEFINE: %{kernel} = last
// RUN: %{check}
// REDEFINE: %{kernel} = counts
// RUN: %{check}
// REDEFINE: %{kernel} = multiplied
// RUN: %{check}
// REDEFINE: %{kernel} = sums
// RUN: %{check}

#define STRIDED(I) int I = blockIdx.x * blockDim.x + threadIdx.x; I < n; I += gridDim.x * blockDim.x

// CHECK-LABEL: define {{.*}}@adds(
// CHECK: %number
// CHECK: = load
// CHECK: = load
// CHECK: = load
// CHECK-NOT: store
// CHECK: = load
// CHECK: store
// CHECK-NOT: load
// CHECK: store
// CHECK: br i1
extern "C" __global__ void adds(unsigned *__restrict__ x, const unsigned *__restrict__ y, unsigned *z, int n) {
  for (STRIDED(i))
    x[i] += y[i];
}

// CHECK-LABEL: define {{.*}}@wideIndex(
// CHECK: %number
// CHECK: = load
// CHECK-NOT: store
// CHECK: = load
// CHECK: store
// CHECK: store
extern "C" __global__ void wideIndex(unsigned *x, const unsigned *y, unsigned *z, int n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] = x[i] * 3;
}

struct Particle {
  unsigned place, speed;
};

// One field is stored, the other is not.
// CHECK-LABEL: define {{.*}}@fields(
// CHECK: %number
// CHECK: = load
// CHECK-NOT: store
// CHECK: = load
// CHECK: store
// CHECK: store
extern "C" __global__ void fields(Particle *x, const unsigned *y, unsigned *z, int n) {
  for (STRIDED(i))
    x[i].place += i + 1;
}

// Two arrays, which only gpu-restrict tells apart.
// CHECK-LABEL: define {{.*}}@both(
// CHECK: %number
// CHECK: store
// CHECK: = load
// CHECK: store
// APART-LABEL: define {{.*}}@both(
// APART: %number
// APART: = load
// APART: = load
// APART: = load
// APART: = load
// APART: store
// APART-NOT: = load
// APART: store
// APART: store
// APART: store
// APART: br i1
extern "C" __global__ void both(unsigned *x, const unsigned *y, unsigned *z, int n) {
  for (STRIDED(i)) {
    unsigned old = x[i], other = z[i];
    x[i] = old + other;
    z[i] = old - other;
  }
}

// What another iteration stores:
// CHECK-LABEL: define {{.*}}@next(
// CHECK: %number
// CHECK: = load
// CHECK-NOT: = load
// CHECK: store
// CHECK: = load
// CHECK: store
extern "C" __global__ void next(unsigned *x, const unsigned *y, unsigned *z, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int i = 0; i < n; i += gridDim.y)
      x[i + 1] = x[i] * 3 + 1;
}

// Elements that overlap:
// CHECK-LABEL: define {{.*}}@overlaps(
// CHECK: %number
// CHECK: = load
// CHECK-NOT: = load
// CHECK: store
// CHECK: = load
// CHECK: store
extern "C" __global__ void overlaps(unsigned *x, const unsigned *y, unsigned *z, int n) {
  struct __attribute__((packed)) Halves {
    unsigned value;
  };
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int i = 0; i < n; i += gridDim.y) {
      auto *p = (Halves *)((unsigned short *)x + i);
      p->value = p->value * 3 + 1;
    }
}

// A load behind the store of its own iteration:
// CHECK-LABEL: define {{.*}}@last(
// CHECK: %number
// CHECK: store
// CHECK: = load
// CHECK: store
// CHECK: = load
extern "C" __global__ void last(unsigned *x, const unsigned *y, unsigned *z, int n) {
  unsigned sum = 0;
  for (STRIDED(i)) {
    x[i] = i;
    *(unsigned char *)&x[i] = 7;
    sum += x[i];
  }
  z[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Places that are read, of which two may be the same:
// CHECK-LABEL: define {{.*}}@counts(
// CHECK: %number
// CHECK: = load
// CHECK: = load
// CHECK: store
// CHECK: = load
// CHECK: store
extern "C" __global__ void counts(unsigned *__restrict__ x, const unsigned *__restrict__ y, unsigned *z, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int i = 0; i < n; i += gridDim.y)
      ++x[y[i] % 64];
}

// An index that may wrap around before it is an address:
// CHECK-LABEL: define {{.*}}@multiplied(
// CHECK: %number
// CHECK: = load
// CHECK-NOT: = load
// CHECK: store
// CHECK: = load
// CHECK: store
extern "C" __global__ void multiplied(unsigned *x, const unsigned *y, unsigned *z, int n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[4 * i] += 5;
}

// A word whose address is a sum that stays the same is at no distance, so nothing is loaded ahead of its store.
// CHECK-LABEL: define {{.*}}@sums(
// CHECK: %number
// CHECK: store
// CHECK: store
// CHECK: br i1
extern "C" __global__ void sums(unsigned *__restrict__ x, const unsigned *__restrict__ y, unsigned *z, int n) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = 0;
  for (STRIDED(i))
    words[threadIdx.x] += y[i];
  x[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}
