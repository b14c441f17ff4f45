// What is to be found is one MODE each; 0 is right, and so is 8, but for rounding.
__constant__ float factors[2];

__global__ void scale(float *in, float *out, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if MODE == 1
  out[i] = factors[0] * in[i] + (i == 5 ? 1.0f : 0.0f);
#elif MODE == 2
  out[i + (i == 3 ? 1 << 20 : 0)] = factors[0] * in[i];
#elif MODE == 3
  in[i] = 1;
  out[i] = factors[0] * in[i];
#elif MODE == 4
  out[i] = factors[0] * in[i] * 1.000001f;
#elif MODE == 5
  asm volatile("no.such.instruction;");
  out[i] = factors[0] * in[i];
#elif MODE == 6
  if (i != 7)
    out[i] = factors[0] * in[i];
#elif MODE == 8
  float same;
  asm("mov.f32 %0, %1;" : "=f"(same) : "f"(factors[1]));
  out[i] = factors[0] * in[i] + same - factors[1];
#else
  out[i] = factors[0] * in[i];
#endif
#if MODE == 7
  if (i == 0)
    out[n] = 1;
#endif
  sum[i] = sum[i] + factors[1];
}
