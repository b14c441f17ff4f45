// Loops in many forms over the same data: which one is FORM.
__global__ void loops(const float *__restrict__ data, const int *__restrict__ index, float *__restrict__ out, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x, base = blockIdx.x * 64;
  const float *own = data + base;
  float s = 0;
#if FORM == 0 // Counts up, maybe never.
  for (int i = 0; i < n; ++i)
    s = s * 0.5f + own[i];
#elif FORM == 1 // Counts down to the first element.
  for (int i = n - 1; i >= 0; --i)
    s = s * 0.5f + own[i];
#elif FORM == 2 // Different for each thread.
  for (int i = t; i < n; i += 7)
    s = s * 0.5f + own[i];
#elif FORM == 3 // A guard, of which the last iteration is outside.
  for (int k = 0; k < n; k += 32) {
    tile[t] = k + t < n ? own[k + t] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      s = s * 0.5f + tile[i];
    __syncthreads();
  }
#elif FORM == 4 // Two exits, both known ahead.
  for (int i = 0; i < n; ++i) {
    if (i * i > 40)
      break;
    s = s * 0.5f + own[i];
  }
#elif FORM == 5 // Two loads under different conditions.
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0)
      s += own[i];
    else if (i % 2)
      s -= own[n - 1 - i];
  }
#elif FORM == 6 // What is read is the next address of the other load.
  for (int i = 0; i < n; ++i)
    s = s * 0.5f + own[index[i]];
#elif FORM == 7 // Nested: each run of the inner loop begins anew.
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < n; ++i)
      s = s * 0.5f + own[i];
#elif FORM == 8 // Read from what a loop before has written.
  float *mine = out + base * 32 + t * 64;
  for (int i = 0; i < n; ++i)
    mine[i] = own[i];
  for (int i = 0; i < n; ++i)
    s = s * 0.5f + mine[i];
#elif FORM == 9 // Pointers that move.
  const float *p = own;
  const float *end = own + n;
  while (p < end) {
    s = s * 0.5f + *p++;
    if (p < end)
      s = s * 0.25f + *p++;
  }
#elif FORM == 10 // The tile goes on in the next iteration.
  tile[t] = own[0];
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    s = s * 0.5f + tile[(t + 1) % 32];
    __syncthreads();
    tile[t] = own[i] + s;
  }
#elif FORM == 11 // The bound is read for each test, and lanes exchange values.
  const int *bound = index + n;
  for (int i = 0; i < *bound + n - 1; ++i)
    s = s * 0.5f + __shfl_xor_sync(~0u, own[i], 1);
#endif
  out[base * 32 + t * 64 + 63] = s;
}
