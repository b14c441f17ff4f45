// Inner loops that may run different numbers of times, are left by break or stand under a condition are jammed while all
// iterations go on in them; then each runs its own rest. Nothing is left of the question behind which they are.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=2>,verify' -S %t.bc -o %t.ll 2> %t.err
// RUN: count 0 < %t.err
// RUN: FileCheck %s --input-file=%t.ll --implicit-check-not=gpuprune.for.all --implicit-check-not=gpuprune.jam
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll-and-jam<loop=0;factor=4>'
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %ptxas %t.s -o %t.cubin

// Two sums in one loop, then one in each rest.
// CHECK-LABEL: @triangle(
// CHECK-COUNT-2: fadd float
// CHECK-NOT: fadd float
// CHECK: %[[BOTH:[0-9]+]] = and i1
// CHECK: br i1 %[[BOTH]], {{.*}}!llvm.loop
// CHECK: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: ret void
extern "C" __global__ void triangle(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j <= i; ++j)
      s += a[j];
    out[i] = s;
  }
}

// The author's load of the row's end goes before the jammed loop; four rows in one loop.
// CHECK-LABEL: @rows(
// CHECK: and i1
// CHECK: br i1
// CHECK-COUNT-2: call float @llvm.fma.f32
// CHECK: %[[BOTH:[0-9]+]] = and i1
// CHECK: br i1 %[[BOTH]], {{.*}}!llvm.loop
// CHECK: ret void
// PTX-LABEL: .entry rows(
// PTX-COUNT-4: fma.rn.f32
// PTX-NOT: fma.rn.f32
// PTX: bra
// PTX: ret;
extern "C" __global__ void rows(const int *__restrict__ row, const int *__restrict__ col, const float *__restrict__ v,
                                const float *__restrict__ x, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; ++j)
      s += v[j] * x[col[j]];
    out[i] = s;
  }
}

// CHECK-LABEL: @sometimes(
// CHECK: %[[BOTH:[0-9]+]] = and i1
// CHECK-NEXT: br i1 %[[BOTH]]
// CHECK-COUNT-2: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: ret void
extern "C" __global__ void sometimes(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0)
      continue;
    float s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[i + j];
    out[i] = s;
  }
}

// CHECK-LABEL: @leaves(
// CHECK: fadd float
// CHECK: %[[BOTH:[0-9]+]] = and i1
// CHECK: br i1 %[[BOTH]], {{.*}}!llvm.loop
// CHECK: ret void
extern "C" __global__ void leaves(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j) {
      s += a[i + j];
      if (s > 9)
        break;
    }
    out[i] = s;
  }
}

// Of two loops that iterations choose between, each is jammed where all choose it.
// CHECK-LABEL: @either(
// CHECK-COUNT-2: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK-COUNT-2: fsub float
// CHECK: br {{.*}}!llvm.loop
// CHECK: ret void
extern "C" __global__ void either(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    if (a[i] < 0)
      for (int j = 0; j < i; ++j)
        s += a[i + j];
    else
      for (int j = 0; j < i; ++j)
        s -= a[i * j];
    out[i] = s;
  }
}

// An outer loop that runs three times at most: two iterations are jammed.
// CHECK-LABEL: @bounded(
// CHECK-COUNT-2: fadd float
// CHECK: br {{.*}}!llvm.loop
// CHECK: ret void
extern "C" __global__ void bounded(const float *__restrict__ a, float *__restrict__ out) {
  for (int i = 0; i < (threadIdx.x & 3); ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[i + j];
    out[4 * threadIdx.x + i] = s;
  }
}
