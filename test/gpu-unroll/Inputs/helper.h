#pragma once
__device__ inline float total(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i];
  return sum;
}
