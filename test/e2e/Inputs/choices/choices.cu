__global__ void add(float *p) {
  for (int j = 0; j < WIDTH; ++j)
    p[(blockIdx.x * WIDTH + j) * TILE + threadIdx.x] += 1;
}
