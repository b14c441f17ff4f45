// Prices of European call and put options by the formula of Black and Scholes, one option a thread. The cumulative
// normal distribution is the polynomial 26.2.17 of Abramowitz and Stegun.
__device__ float cumulative_normal(float d) {
  const float a1 = 0.31938153f;
  const float a2 = -0.356563782f;
  const float a3 = 1.781477937f;
  const float a4 = -1.821255978f;
  const float a5 = 1.330274429f;

  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put,
                              int n, float rate, float volatility) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;

  float s = price[i];
  float x = strike[i];
  float t = years[i];

  float spread = volatility * sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
  float d2 = d1 - spread;
  float n1 = cumulative_normal(d1);
  float n2 = cumulative_normal(d2);
  float discounted = x * expf(-rate * t);

  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
