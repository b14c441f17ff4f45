// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void directed(const float *x, const float *y, float *out, const double *dx, double *dout) {
  int t = threadIdx.x, n = blockDim.x;
  float a = x[t], b = y[t];
  out[0 * n + t] = __fadd_rz(a, b);
  out[1 * n + t] = __fadd_ru(a, b);
  out[2 * n + t] = __fmul_rd(a, b);
  out[3 * n + t] = __fmaf_rz(a, b, a);
  out[4 * n + t] = __fdiv_rd(a, b);
  out[5 * n + t] = __fsqrt_ru(fabsf(a));
  out[6 * n + t] = __frcp_rz(b);
  out[7 * n + t] = __fsub_rd(a, b);
  out[8 * n + t] = __fmul_rn(a, b) + a;
  out[9 * n + t] = fmaf(a, b, a);
  out[10 * n + t] = __double2float_rd(dx[t]);
  dout[0 * n + t] = __dadd_rz(dx[t], double(a));
  dout[1 * n + t] = __dmul_ru(dx[t], double(b));
  dout[2 * n + t] = __ddiv_rz(dx[t], double(b));
  dout[3 * n + t] = __fma_rd(dx[t], double(a), double(b));
}

extern "C" __global__ void conversions(const float *x, int *i, unsigned *u, long long *l, unsigned long long *ul,
                                       float *f) {
  int t = threadIdx.x, n = blockDim.x;
  i[0 * n + t] = int(x[t]);
  i[1 * n + t] = __float2int_rn(x[t]);
  i[2 * n + t] = __float2int_ru(x[t]);
  i[3 * n + t] = __float2int_rd(x[t]);
  u[t] = __float2uint_rz(x[t]);
  l[t] = __float2ll_rn(x[t]);
  ul[t] = __float2ull_rz(x[t]);
  f[0 * n + t] = __int2float_rz(__float_as_int(x[t]));
  f[1 * n + t] = rintf(x[t]);
  f[2 * n + t] = fminf(x[t], 0.0f);
  f[3 * n + t] = fmaxf(x[t], -1.0f);
  f[4 * n + t] = __saturatef(x[t]);
}

extern "C" __global__ void functions(const float *x, float *out, const double *dx, double *dout) {
  int t = threadIdx.x, n = blockDim.x;
  float a = x[t];
  out[0 * n + t] = sinf(a);
  out[1 * n + t] = cosf(a);
  out[2 * n + t] = expf(a);
  out[3 * n + t] = logf(fabsf(a));
  out[4 * n + t] = powf(fabsf(a), 1.7f);
  out[5 * n + t] = tanhf(a);
  out[6 * n + t] = erff(a);
  out[7 * n + t] = atan2f(a, 0.3f);
  out[8 * n + t] = rsqrtf(fabsf(a));
  out[9 * n + t] = sqrtf(fabsf(a));
  out[10 * n + t] = cbrtf(a);
  out[11 * n + t] = __expf(a);
  out[12 * n + t] = __sinf(a);
  out[13 * n + t] = __logf(fabsf(a));
  out[14 * n + t] = __fdividef(1.0f, a);
  dout[0 * n + t] = sin(dx[t]);
  dout[1 * n + t] = exp(dx[t]);
  dout[2 * n + t] = log(fabs(dx[t]));
  dout[3 * n + t] = pow(fabs(dx[t]), 1.7);
  dout[4 * n + t] = rsqrt(fabs(dx[t]));
  dout[5 * n + t] = tgamma(dx[t]);
}

extern "C" __global__ void integers(const int *x, const int *y, int *out, long long *lout) {
  int t = threadIdx.x, n = blockDim.x, a = x[t], b = y[t];
  out[0 * n + t] = __mulhi(a, b);
  out[1 * n + t] = __umulhi(a, b);
  out[2 * n + t] = __brev(a);
  out[3 * n + t] = __clz(a);
  out[4 * n + t] = __ffs(a);
  out[5 * n + t] = __popc(a);
  int bytes;
  asm("prmt.b32 %0, %1, %2, 0x7a31;" : "=r"(bytes) : "r"(a), "r"(b));
  out[6 * n + t] = bytes;
  out[7 * n + t] = __sad(a, b, 5);
  out[8 * n + t] = __dp4a(a, b, 9);
  out[9 * n + t] = __funnelshift_l(a, b, 11);
  out[10 * n + t] = __funnelshift_rc(a, b, 40);
  out[11 * n + t] = __mul24(a, b);
  out[12 * n + t] = __hadd(a, b);
  lout[0 * n + t] = __mul64hi((long long)a << 20, (long long)b << 25);
  lout[1 * n + t] = __brevll((unsigned long long)a);
}

extern "C" __global__ void halves(const float *x, const float *y, const float *z, unsigned short *out,
                                  __half2 *packed) {
  int t = threadIdx.x, n = blockDim.x;
  __half a = __float2half(x[t]), b = __float2half(y[t]), c = __float2half(z[t]);
  out[0 * n + t] = __half_as_ushort(a);
  out[1 * n + t] = __half_as_ushort(a + b);
  out[2 * n + t] = __half_as_ushort(__hmul(a, b));
  out[3 * n + t] = __half_as_ushort(__hfma(a, b, c));
  out[4 * n + t] = __half_as_ushort(__hmin(a, b));
  out[5 * n + t] = __hlt(a, b);
  out[6 * n + t] = __half_as_ushort(__float2half_rz(x[t]));
  out[7 * n + t] = __half_as_ushort(__hadd_sat(a, b));
  out[8 * n + t] = __half_as_ushort(__hdiv(a, b));
  out[9 * n + t] = __half_as_ushort(__double2half(double(x[t]) * y[t]));
  __half2 p = __halves2half2(a, b);
  packed[t] = __hfma2(p, __half2half2(c), p);
  if (t == 0)
    packed[n] = __floats2half2_rn(0, 0);
  __syncthreads();
  atomicAdd(packed + n, __floats2half2_rn(1, 2));
}

extern "C" __global__ void bfloats(const float *x, const float *y, const float *z, unsigned short *out) {
  int t = threadIdx.x, n = blockDim.x;
  __nv_bfloat16 a = __float2bfloat16(x[t]), b = __float2bfloat16(y[t]), c = __float2bfloat16(z[t]);
  out[0 * n + t] = __bfloat16_as_ushort(a);
  out[1 * n + t] = __bfloat16_as_ushort(a + b);
  out[2 * n + t] = __bfloat16_as_ushort(a * b);
  out[3 * n + t] = __bfloat16_as_ushort(__hfma(a, b, c));
  out[4 * n + t] = __bfloat16_as_ushort(__hmax(a, b));
  out[5 * n + t] = __float2int_rn(__bfloat162float(a));
}

extern "C" __global__ void denormals(const float *x, const float *y, float *out, double *dout) {
  int t = threadIdx.x, n = blockDim.x;
  float a = x[t], b = y[t];
  out[0 * n + t] = a * b;
  out[1 * n + t] = a + b;
  out[2 * n + t] = fmaf(a, b, a);
  out[3 * n + t] = a != 0.0f;
  out[4 * n + t] = a;
  dout[t] = double(a) * 1e-300;
}
