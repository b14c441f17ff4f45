// Comparisons that ranges decide, and approximations of numbers that are never subnormal.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-math<arguments=any>' 2> %t.err
// RUN: FileCheck %s --input-file=%t.s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=REFUSED --implicit-check-not=refused
// RUN: %clang_device -S %s -o %t.n.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-math<arguments=normal>' 2> %t.n.err
// RUN: FileCheck %s --input-file=%t.n.s --check-prefix=NORMAL
//
// The results are the author's, bit by bit, of numbers of all kinds:
// RUN: echo '{ source: "%s", kernel: KERNEL, sizes: { tune: { n: 4096 }, check: [ { n: 4096 } ] }, grid: [ n/128 ], block: [ 128 ],' > %t.launch
// RUN: echo 'arguments: [ bits, out, { f32: SOFTENING } ], buffers: {' >> %t.launch
// RUN: echo 'bits: { type: u32, count: n, fill: { uniform: [0, 4294967295], seed: 1 }, role: in },' >> %t.launch
// RUN: echo 'out: { type: u32, count: n, role: out } } }' >> %t.launch
// DEFINE: %{kernel} =
// DEFINE: %{softening} = 0.01
// DEFINE: %{arguments} = any
// DEFINE: %{variant} = gpu-math<arguments=%{arguments}>
// DEFINE: %{check} = sed 's/KERNEL/%{kernel}/; s/SOFTENING/%{softening}/' %t.launch > %t.yaml && \
// DEFINE:   %gpuprune tune %t.yaml --quiet --no-db --stop-after=check --format json -o %t.json --variant '%{variant}' && \
// DEFINE:   %check_report %t.json "rows['%{variant}']['cpu_check'] == 'bitwise'"
// REDEFINE: %{kernel} = softened
// RUN: %{check}
// REDEFINE: %{kernel} = angle
// RUN: %{check}
// REDEFINE: %{kernel} = logarithm
// RUN: %{check}
// REDEFINE: %{kernel} = guarded
// RUN: %{check}
// REDEFINE: %{kernel} = power
// RUN: %{check}
// REDEFINE: %{kernel} = zeros
// RUN: %{check}
// REDEFINE: %{arguments} = normal
// REDEFINE: %{kernel} = argument
// RUN: %{check}
// REDEFINE: %{softening} = 0
// RUN: %{check}
// REDEFINE: %{softening} = 1e-42
// RUN: %{check}
// REDEFINE: %{softening} = -1
// RUN: %{check}
#define KERNEL(NAME) extern "C" __global__ void NAME(const unsigned *bits, unsigned *out, float softening)
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define X __uint_as_float(bits[I])

// CHECK-LABEL: .entry softened(
// CHECK-NOT: rsqrt.approx.f32
// CHECK: rsqrt.approx.ftz.f32
KERNEL(softened) { out[I] = __float_as_uint(rsqrtf(X * X + 0.01f)); }

// Between 0 and 6.3 no reduction of large angles is needed.
// CHECK-LABEL: .entry angle(
// CHECK-NOT: .local
// CHECK-NOT: bra
// CHECK: ret;
KERNEL(angle) { out[I] = __float_as_uint(sinf(bits[I] * 2.3283064e-10f * 6.2831853f)); }

// CHECK-LABEL: .entry logarithm(
// CHECK-NOT: setp.lt
// CHECK: ret;
KERNEL(logarithm) { out[I] = __float_as_uint(logf((bits[I] + 1.0f) * 2.3283064e-10f)); }

// CHECK-LABEL: .entry guarded(
// CHECK-NOT: rsqrt.approx.f32
// CHECK: rsqrt.approx.ftz.f32
KERNEL(guarded) {
  float x = X;
  if (x > 1e-6f)
    out[I] = __float_as_uint(rsqrtf(x));
}

// A power of at least 2^-125 is not subnormal, one of 2^-126 may be.
// CHECK-LABEL: .entry power(
// CHECK-NOT: ex2.approx.f32
// CHECK: ex2.approx.ftz.f32
// CHECK-NOT: ex2.approx.ftz.f32
// CHECK: ex2.approx.f32
// CHECK: ret;
KERNEL(power) { out[I] = __float_as_uint(exp2f(fmaxf(X, -125.f)) + exp2f(fmaxf(X, -126.f))); }

// One divided by the root of a negative zero is negative; the logarithm is there for the pass to do something.
// CHECK-LABEL: .entry zeros(
// CHECK: setp.{{.*}}
// CHECK: ret;
KERNEL(zeros) {
  float zero = (bits[I] & 1) * -0.0f;
  out[I] = (rsqrtf(zero) < 0) + 2 * (logf((bits[I] + 1.0f) * 2.3283064e-10f) < -1);
}

// Where nothing bounds it the care stays:
// CHECK-LABEL: .entry tiny(
// CHECK: rsqrt.approx.f32
// REFUSED: gpu-math refused 'tiny' (NothingDecided)
KERNEL(tiny) {
  float x = X;
  if (x > 1e-40f)
    out[I] = __float_as_uint(rsqrtf(x));
}

// CHECK-LABEL: .entry unsoftened(
// CHECK: rsqrt.approx.f32
// REFUSED: gpu-math refused 'unsoftened' (NothingDecided)
KERNEL(unsoftened) { out[I] = __float_as_uint(rsqrtf(X * X)); }

// Of an argument nothing is known, unless it is asked for:
// CHECK-LABEL: .entry argument(
// CHECK-NOT: ftz
// CHECK: rsqrt.approx.f32
// REFUSED: gpu-math refused 'argument' (NothingDecided)
// NORMAL-LABEL: .entry argument(
// NORMAL: setp.{{.*}}f32
// NORMAL: rsqrt.approx.ftz.f32
// NORMAL: rsqrt.approx.f32
KERNEL(argument) { out[I] = __float_as_uint(rsqrtf(X * X + softening)); }
