// Tiles in many forms: which one is FORM. THREADS is the block.
__global__ void tiles(const float *__restrict__ data, const float4 *__restrict__ wide, float *__restrict__ out, int n) {
  __shared__ float tile[THREADS];
  __shared__ float other[THREADS];
  __shared__ __align__(16) float4 four[THREADS];
  int t = threadIdx.x;
  const float *own = data + blockIdx.x * THREADS;
  float s = 0;
#if FORM == 0 // One tile.
  for (int k = 0; k < n; ++k) {
    tile[t] = own[k * THREADS + t];
    __syncthreads();
    for (int i = 0; i < THREADS; ++i)
      s = s * 0.5f + tile[i];
    __syncthreads();
  }
#elif FORM == 1 // Sixteen bytes a thread.
  for (int k = 0; k < n; ++k) {
    four[t] = wide[k * THREADS + t];
    __syncthreads();
    for (int i = 0; i < THREADS; ++i)
      s = s * 0.5f + four[i].x + 2 * four[i].y - four[i].z + four[(i + t) % THREADS].w;
    __syncthreads();
  }
#elif FORM == 2 // Again and again: the first copies of a run must not overtake the last reads before.
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < n; ++k) {
      tile[t] = own[k * THREADS + t] ;
      __syncthreads();
      for (int i = 0; i < THREADS; ++i)
        s = s * 0.5f + tile[i];
      __syncthreads();
    }
#elif FORM == 3 // Two tiles one after the other: the second can wait in shared memory.
  for (int k = 0; k < n; ++k) {
    tile[t] = own[k * THREADS + t];
    __syncthreads();
    s = s * 0.5f + tile[(t + 1) % THREADS];
    other[t] = own[k * THREADS + (t + 3) % THREADS];
    __syncthreads();
    s = s * 0.5f + other[(t + 5) % THREADS];
    __syncthreads();
  }
#elif FORM == 4 // What the loop writes to global memory keeps the barriers.
  for (int k = 0; k < n; ++k) {
    tile[t] = own[k * THREADS + t];
    __syncthreads();
    s = s * 0.5f + tile[(t + 1) % THREADS];
    out[(blockIdx.x * 64 + k) * THREADS + t] = s;
    __syncthreads();
  }
#elif FORM == 5 // Other elements in each iteration: what is read may be older. Refused.
  tile[t] = 1.0f;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    tile[(t + k) % THREADS] = own[k * THREADS + t];
    __syncthreads();
    s = s * 0.5f + tile[t];
    __syncthreads();
  }
#elif FORM == 6 // Half of the threads store, each two elements.
  if (t < THREADS / 2)
    s = 1;
  for (int k = 0; k < n; ++k) {
    tile[t / 2] = own[k * THREADS + t / 2];
    tile[t / 2 + THREADS / 2] = own[k * THREADS + t / 2 + THREADS / 2];
    __syncthreads();
    for (int i = 0; i < THREADS; ++i)
      s = s * 0.5f + tile[i];
    __syncthreads();
  }
#elif FORM == 7 // Read once more behind the loop. Refused.
  tile[t] = 0;
  for (int k = 0; k < n; ++k) {
    tile[t] = own[k * THREADS + t];
    __syncthreads();
    s = s * 0.5f + tile[(t + 1) % THREADS];
    __syncthreads();
  }
  s += tile[t];
#elif FORM == 8 // The barrier that frees the tile stands ahead of the stores, in a loop that runs again.
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < n; ++k) {
      __syncthreads();
      tile[t] = own[k * THREADS + t];
      __syncthreads();
      for (int i = 0; i < THREADS; ++i)
        s = s * 0.5f + tile[(i + t) % THREADS];
    }
#endif
  out[(blockIdx.x * 64 + 63) * THREADS + t] = s;
}
