// Places behind a guard that no thread passes: whatever is computed of them, what is accessed is told right.
extern "C" __global__ void divided(unsigned char *a, unsigned char *b, unsigned n, int rounds) {
  unsigned i = threadIdx.x;
  if (i < n)
    a[(long long)(i / 2) - 16] = 7;
  for (int j = 0; j < rounds; ++j)
    b[0] += a[j] + 1;
}

extern "C" __global__ void multiplied(long long *a, long long *b, int n, int m, int rounds) {
  int i = threadIdx.x;
  for (int j = i; j < n; ++j)
    a[(long long)j * m] = 7;
  for (int j = 0; j < rounds; ++j)
    b[0] += a[j] + 1;
}
