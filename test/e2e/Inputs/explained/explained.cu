// A copy that does everything wrong: it reads a tile without padding by columns, writes along columns, and has a guard
// that most lanes of a warp do not pass.
__global__ void explained(float *out, float *few, const float *in, int n) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * n + x];
  __syncthreads();
  float value = tile[x][y];
  out[x * n + y] = value;
  if (x < 8)
    few[y * 8 + x] = value;
}
