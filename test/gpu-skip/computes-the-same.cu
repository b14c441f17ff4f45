// Divisions behind branches: the PTX has one branch for several of them, and the bits are the author's for numbers of all kinds.
// REQUIRES: ptxas
// RUN: %clang_device -S %s -o %t.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-unroll<loop=0;factor=4>,gpu-skip<selects=4>'
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %clang_device -g -S %s -o %t.g.s %with_plugin -mllvm '-gpuprune-pipeline=gpu-skip<selects=1>'
// RUN: FileCheck %s --input-file=%t.g.s --check-prefix=LINES
// RUN: %ptxas %t.g.s -o %t.g.cubin
// RUN: echo '{ source: "%s", kernel: KERNEL, sizes: { tune: { n: 8192, count: 21 }, check: [ { n: 8192, count: 21 }, { n: 512, count: 4 } ] },' > %t.launch
// RUN: echo 'grid: [ n/128 ], block: [ 128 ], arguments: [ bits, out, { i32: count } ], buffers: {' >> %t.launch
// RUN: echo 'bits: { type: u32, count: n + 64, fill: { uniform: [0, 4294967295], seed: 1 }, role: in },' >> %t.launch
// RUN: echo 'out: { type: u32, count: n, role: out } } }' >> %t.launch
// DEFINE: %{kernel} =
// DEFINE: %{check} = sed 's/KERNEL/%{kernel}/' %t.launch > %t.yaml && \
// DEFINE:   %gpuprune tune %t.yaml --quiet --no-db --stop-after=check --format json -o %t.json \
// DEFINE:     --variant 'gpu-skip<selects=1>' --variant 'gpu-skip<selects=4>' \
// DEFINE:     --variant 'gpu-unroll<loop=0;factor=4>,gpu-skip<selects=1>' --variant 'gpu-unroll<loop=0;factor=4>,gpu-skip<selects=4>' \
// DEFINE:     --variant 'gpu-thread-coarsen<dim=x;factor=4;stride=consecutive>,gpu-skip<selects=4>' \
// DEFINE:     --variant 'gpu-block-coarsen<x=2>,gpu-skip<selects=2>,gpu-registers<max=128>' \
// DEFINE:     --variant 'gpu-thread-coarsen<dim=x;factor=2>,gpu-unroll<loop=0;factor=4>,gpu-skip<selects=8>' && \
// DEFINE:   %check_report %t.json "len([v for v in rows if 'gpu-skip' in v]) == 7" \
// DEFINE:     "all(r['status'] == 'ok' and r['cpu_check'] == 'bitwise' for v, r in rows.items() if 'gpu-skip' in v)"
// REDEFINE: %{kernel} = rests
// RUN: %{check}
// REDEFINE: %{kernel} = greater
// RUN: %{check}
// REDEFINE: %{kernel} = false_side
// RUN: %{check}
// REDEFINE: %{kernel} = doubles
// RUN: %{check}
// REDEFINE: %{kernel} = chains
// RUN: %{check}
// REDEFINE: %{kernel} = integers
// RUN: %{check}
#define KERNEL(NAME) extern "C" __global__ void NAME(const unsigned *bits, unsigned *out, int count)
#define I (blockIdx.x * blockDim.x + threadIdx.x)

// Any bits, few that are often equal, subnormal numbers, powers of two, both zeros, both infinities, and no numbers.
__device__ float number(unsigned bits) {
  unsigned kind = bits * 2654435761U >> 27;
  bits = kind & 1 ? bits & 0xff800001 : bits;
  bits = (kind & 6) == 2 ? bits | 0x7f800000 : bits;
  bits = (kind & 6) == 4 ? bits & 0x807fffff : bits;
  bits = (kind & 14) == 8 ? bits & 0x80800001 | 0x3f000000 : bits;
  return __uint_as_float(bits);
}

__device__ unsigned mixed(unsigned sum, float x) { return sum * 31 + (x == x ? __float_as_uint(x) : 1); }

__device__ unsigned mixed(unsigned sum, double x) {
  return sum * 31 + (x == x ? __double2loint(x) ^ __double2hiint(x) * 7 : 1);
}

// CHECK-LABEL: .entry rests(
// CHECK: or.pred
// CHECK-NEXT: or.pred
// CHECK-NEXT: or.pred
// CHECK-NOT: div.rn
// CHECK: bra
// CHECK-COUNT-4: div.rn.f32
// LINES-LABEL: .entry rests(
// LINES: bra
// LINES: .loc
// LINES: div.rn.f32
KERNEL(rests) {
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    float n = number(bits[I + k]), r = number(bits[I + 2 * k + 1]);
    float rest = 1.0f - n * n / (r * r);
    if (rest > 0.0f)
      sum += rest * rest;
  }
  out[I] = __float_as_uint(sum);
}

// Any number over a square; that it is less than one cannot be asked of the operands, and stays as it is.
KERNEL(greater) {
  float last = 0;
  unsigned all = 0;
  for (int k = 0; k < count; ++k) {
    float n = number(bits[I + k]), r = number(bits[I + k + 7]);
    float q = n / (r * r), p = r / (n * n);
    last = q - 1.0f > 0.0f ? q * 3.0f : last;
    all = mixed(all, last);
    last = p < 1.0f ? p + 0.5f : last;
    all = mixed(all, last);
  }
  out[I] = all;
}

KERNEL(false_side) {
  float last = 0;
  unsigned all = 0;
  for (int k = 0; k < count; ++k) {
    float n = number(bits[I + k]), r = number(bits[I + k + 3]);
    float q = n / (r * r), root = sqrtf(q);
    last = q > 1.0f ? last : root;
    all = mixed(all, last);
  }
  out[I] = all;
}

KERNEL(doubles) {
  double last = 0;
  unsigned all = 0;
  for (int k = 0; k < count; ++k) {
    double n = __hiloint2double(bits[I + k], bits[I + k + 1]), r = number(bits[I + k + 2]);
    n = bits[I + k + 3] & 1 ? n : number(bits[I + k]);
    double rest = 1.0 - fabs(n) / (r * r);
    last = rest > 0.0 ? rest * 3 : last;
    all = mixed(all, last);
  }
  out[I] = all;
}

// The second result begins with the first one; the third one's condition is the second result.
KERNEL(chains) {
  float sum = 0;
  unsigned all = 0;
  for (int k = 0; k < count; ++k) {
    float x = number(bits[I + k]), y = number(bits[I + k + 5]), z = number(bits[I + k + 9]);
    float first = sum + x / y, second = y / z;
    sum = x < y ? first : sum;
    float both = sum + second;
    sum = y < z ? both : sum;
    float third = sum / z;
    sum = sum > 1.0f ? third : sum;
    all = mixed(all, sum);
    sum = fabsf(sum) < 1e30f ? sum : x;
  }
  out[I] = all;
}

KERNEL(integers) {
  unsigned sum = 0;
  for (int k = 0; k < count; ++k) {
    unsigned n = bits[I + k], d = bits[I + k + 5] >> 12 | 1;
    unsigned quotient = n / d + sum, rest = n % d;
    sum = n & 64 ? quotient : sum;
    sum = d & 64 ? sum + 1 : sum ^ rest;
  }
  out[I] = sum;
}
