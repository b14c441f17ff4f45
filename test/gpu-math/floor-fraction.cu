// Interpolation: the machine code has no floor besides that of the conversion, and the bits are the author's.
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-math<arguments=any>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: echo '{ source: "%s", kernel: KERNEL, sizes: { tune: { n: 65536 }, check: [ { n: 65536 } ] }, grid: [ n/128 ], block: [ 128 ],' > %t.launch
// RUN: echo 'arguments: [ bits, table, out, { f32: 0.0009765625 } ], buffers: {' >> %t.launch
// RUN: echo 'bits: { type: u32, count: n, fill: { uniform: [0, 4294967295], seed: 1 }, role: in },' >> %t.launch
// RUN: echo 'table: { type: u32, count: 4097, fill: { uniform: [0, 4294967295], seed: 2 }, role: in },' >> %t.launch
// RUN: echo 'out: { type: u32, count: 2*n, role: out } } }' >> %t.launch
// DEFINE: %{kernel} =
// DEFINE: %{variant} = gpu-math<arguments=any>
// DEFINE: %{check} = sed 's/KERNEL/%{kernel}/' %t.launch > %t.yaml && \
// DEFINE:   %gpuprune tune %t.yaml --quiet --no-db --stop-after=check --format json -o %t.json --variant '%{variant}' && \
// DEFINE:   %check_report %t.json "rows['%{variant}']['cpu_check'] == 'bitwise'"
// REDEFINE: %{kernel} = difference
// RUN: %{check}
// REDEFINE: %{kernel} = product
// RUN: %{check}
#define KERNEL(NAME) extern "C" __global__ void NAME(const unsigned *bits, const unsigned *table, unsigned *out, float scale)
#define I (blockIdx.x * blockDim.x + threadIdx.x)

// Any number between -2048 and 2048: subnormal ones, both zeros.
__device__ float number(unsigned bits) {
  if (bits % 16 == 0)
    return bits & 16 ? -0.0f : 0.0f;
  float x = __uint_as_float(bits);
  return fabsf(x) < 2047.0f ? x : (int(bits) >> 10) * 0.0009765625f;
}

// CHECK-LABEL: .entry difference(
// CHECK: cvt.rmi.f32.f32 [[BELOW:%r[0-9]+]]
// CHECK: cvt.rzi.s32.f32 [[K:%r[0-9]+]], [[BELOW]]
// CHECK: cvt.rn.f32.s32 {{.*}}, [[K]]
// CHECK-NOT: [[BELOW]];
// CHECK: ret;
KERNEL(difference) {
  float x = number(bits[I]) - 0.25f * (I & 1);
  float below = floorf(x);
  int k = below;
  out[2 * I] = table[k + 2048];
  out[2 * I + 1] = __float_as_uint(x - below);
}

// CHECK-LABEL: .entry product(
// CHECK: cvt.rmi.f32.f32 [[BELOW:%r[0-9]+]]
// CHECK: cvt.rzi.s32.f32 [[K:%r[0-9]+]], [[BELOW]]
// CHECK: cvt.rn.f32.s32 {{.*}}, [[K]]
// CHECK-NOT: [[BELOW]];
// CHECK: ret;
KERNEL(product) {
  float x = number(bits[I]) * scale;
  float below = floorf(x);
  int k = below;
  out[2 * I] = table[k + 2048];
  out[2 * I + 1] = __float_as_uint(x - below);
}
