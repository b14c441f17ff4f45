// Where no vector can be read the kernel stays as it was, by a named refusal.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes=gpu-prepare -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=4;loads=vector>' -S %t.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err
// RUN: %clang_device -DMISALIGNED -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes=gpu-prepare -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=full;loads=vector;kernel=misaligned>' -S %t.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err --check-prefix=FULL
// RUN: %opt -passes='gpu-prepare,gpu-unroll<loop=0;factor=3;loads=vector;kernel=misaligned>' -S %t.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ODD
// RUN: not %opt -passes='gpu-unroll<loop=0;factor=4;remainder=none;loads=vector>' -S %t.bc 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %opt -passes='gpu-unroll<loop=0;factor=1;loads=vector>' -S %t.bc 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %opt -passes='gpu-unroll<loop=0;factor=4;loads=wide>' -S %t.bc 2>&1 | FileCheck %s --check-prefix=KIND
// FULL: gpu-unroll refused 'misaligned' (UnknownTripCount): loop 0 goes on where its vectors are aligned, and how often is not known
// ODD: gpu-unroll refused 'misaligned' (NotContiguous)
// NONE: loads=vector needs copies without tests, which remainder=none gives each: leave one of the two out
// ONE: loads=vector reads for several copies: factor= has to be at least 2
// KIND: option 'loads=wide' needs scalar or vector
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

#ifndef MISALIGNED
// CHECK: gpu-unroll refused 'gap' (NotContiguous): no load of loop 0 reads the next element
extern "C" __global__ void gap(const float *a, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[2 * i] * a[n - i];
  out[THREAD] = sum;
}

// All arrays of dynamic shared memory begin at one address.
// CHECK: gpu-unroll refused 'dynamic' (MayBeWritten): this may write what is read ahead of it
extern __shared__ __align__(16) float dynamic_a[];
extern __shared__ __align__(16) int dynamic_b[];
extern "C" __global__ void dynamic(const float *a, float *out, int n) {
  dynamic_b[threadIdx.x] = n;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += dynamic_b[i];
    dynamic_a[i + 1] = n + sum;
  }
  out[THREAD] = sum;
}

// CHECK: gpu-unroll refused 'nest' (NotContiguous): loop 0 holds another loop: only an innermost one reads vectors
extern "C" __global__ void nest(const float *a, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      sum += a[i] * sum;
  out[THREAD] = sum;
}

// CHECK: gpu-unroll refused 'leaves' (UnknownNextIteration): how often loop 0 runs is not known before it
extern "C" __global__ void leaves(const float *a, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n && sum < 10; ++i)
    sum += a[i];
  out[THREAD] = sum;
}

// CHECK: gpu-unroll refused 'ends' (MayNotReturn): the thread may end here, before it reads on
extern "C" __global__ void ends(const float *a, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    if (sum > 1000)
      asm volatile("exit;");
  }
  out[THREAD] = sum;
}

// CHECK: gpu-unroll refused 'together' (DependentBarrier): threads whose addresses are aligned in other ways
extern "C" __global__ void together(const float *__restrict__ a, float *__restrict__ out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += __shfl_xor_sync(~0u, a[(int)THREAD * n + i], 1);
  out[THREAD] = sum;
}

// CHECK: gpu-unroll refused 'writes' (MayBeWritten)
extern "C" __global__ void writes(float *a, float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = a[i] + 1;
}

// CHECK: gpu-unroll refused 'fence' (Synchronisation)
extern "C" __global__ void fence(const float *a, int *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    __threadfence();
    sum += a[i];
  }
  out[THREAD] = sum;
}

// An index that may wrap to 0 in the middle of a row.
// CHECK: gpu-unroll refused 'wraps' (NotContiguous)
extern "C" __global__ void wraps(const float *a, float *out, unsigned n, unsigned first) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += a[first + i];
  out[THREAD] = sum;
}

#else

extern "C" __global__ void misaligned(const float *a, float *out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += a[i];
  out[THREAD] = sum;
}
#endif
