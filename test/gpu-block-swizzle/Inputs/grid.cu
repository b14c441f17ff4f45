// Each block leaves its indices, and a sum over what neighbours wrote in the launch's input.
extern "C" __global__ void grid(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < w && y < h ? in[y * w + x] : 0;
  __syncthreads();
  if (x < w && y < h)
    out[y * w + x] = tile[7 - threadIdx.y][7 - threadIdx.x] + 100 * blockIdx.x + 10000 * blockIdx.y +
                     gridDim.x + 0.5f * gridDim.y;
}
