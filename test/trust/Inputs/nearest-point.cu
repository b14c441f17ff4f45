extern "C" __global__ void f(const float *x, const float *w, float *y, int n, int d) {
  __shared__ float bd[1024], sm[1024];
  __shared__ int bi[1024];
  int q = blockIdx.x, t = threadIdx.x;
  float best = 3e38f, total = 0; int where = -1;
  for (int p = t; p < n; p += blockDim.x) {
    if (p == q) continue;
    float dist = 0;
    for (int k = 0; k < d; ++k) { float e = x[p*d+k] - x[q*d+k]; dist += e*e; }
    total += sqrtf(dist);
    if (dist < best) { best = dist; where = p; }
  }
  bd[t] = best; bi[t] = where; sm[t] = total;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) {
      sm[t] += sm[t + k];
      if (bd[t + k] < bd[t]) { bd[t] = bd[t + k]; bi[t] = bi[t + k]; }
    }
    __syncthreads();
  }
  if (t == 0) { y[3*q] = sqrtf(bd[0]); y[3*q+1] = w[bi[0]]; y[3*q+2] = sm[0] / (n - 1); }
}
