// What cannot run side by side is refused by name, and the kernel stays as it was.
// RUN: %clang_device -emit-llvm -c -Xclang -disable-llvm-passes %s -o %t.bc
// RUN: %opt -passes='gpu-prepare' -S %t.bc -o %t.before
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=2>' -S %t.bc -o %t.after 2> %t.err
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file=%t.err
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=60000;kernel=carried>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=4;factor=2;kernel=carried>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NOLOOP
// RUN: %opt -passes='gpu-prepare,gpu-unroll-and-jam<loop=0;factor=2;kernel=nobody>' -pass-remarks-missed=gpu- -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NOKERNEL
// RUN: not %opt -passes='gpu-unroll-and-jam<loop=0>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: %opt -passes='gpu-unroll-and-jam<factor=2;loop=3;kernel=k>' -print-pipeline-passes -disable-output %t.bc | FileCheck %s --check-prefix=PRINTED
// LARGE: (TooLarge)
// NOLOOP: (NoSuchLoop)
// NOKERNEL: remark: {{.*}}gpu-unroll-and-jam refused (NoSuchKernel)
// FACTOR: gpu-unroll-and-jam needs factor=F: gpu-unroll-and-jam<loop=N;factor=F;kernel=NAME>
// PRINTED: gpu-unroll-and-jam<loop=3;factor=2;kernel=k>

// One sum over both loops.
// CHECK-DAG: gpu-unroll-and-jam refused 'carried' (CarriedValue)
extern "C" __global__ void carried(const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j)
      s += a[i * 8 + j];
  *out = s;
}

// What is written may be read by the next iteration.
// CHECK-DAG: gpu-unroll-and-jam refused 'aliased' (MayBeWritten)
extern "C" __global__ void aliased(const float *a, float *out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[i + j];
    out[i] = s;
  }
}

// CHECK-DAG: gpu-unroll-and-jam refused 'tiled' (Synchronisation)
extern "C" __global__ void tiled(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  float s = 0;
  for (int i = 0; i < n; ++i) {
    float t = 0;
    __syncthreads();
    tile[threadIdx.x] = a[32 * i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      t += tile[j];
    s += t;
  }
  out[threadIdx.x] = s;
}

// The next iteration would have begun.
// CHECK-DAG: gpu-unroll-and-jam refused 'leaves' (DependentControl): an iteration of the outer loop may be its last one, which that itself decides
extern "C" __global__ void leaves(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[i + j];
    if (s > 9)
      break;
    out[i] = s;
  }
}

// CHECK-DAG: gpu-unroll-and-jam refused 'returns' (DependentControl): an iteration of the outer loop may be its last one, which that itself decides
extern "C" __global__ void returns(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j) {
      s += a[i + j];
      if (s > 9)
        return;
    }
    out[i] = s;
  }
}

// CHECK-DAG: gpu-unroll-and-jam refused 'flat' (NoInnerLoop): loop 0 holds no other loop
extern "C" __global__ void flat(const float *__restrict__ a, float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = a[i];
}

// CHECK-DAG: gpu-unroll-and-jam refused 'seen' (Volatile)
extern "C" __global__ void seen(const float *__restrict__ a, volatile float *__restrict__ out, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 8; ++j)
      s += a[i + j];
    out[i] = s;
  }
}
