__global__ void k(float *a) {
  float s = 0;
  for (int j = 0; j < 16; ++j)
    s = s * a[j] + 1.0f;
  a[blockIdx.x * 32 + threadIdx.x] = s;
}
void launch(float *a) { k<<<4, 32>>>(a); }
