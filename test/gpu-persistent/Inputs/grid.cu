// Each block leaves what tells it from others, and what its neighbours in two tiles have read; the threads at the
// edges return early.
extern "C" __global__ void grid(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][9];
  extern __shared__ float more[];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, at = (blockIdx.z * h + y) * w + x;
  tile[threadIdx.y][threadIdx.x] = x < w && y < h ? in[at] : 0;
  more[threadIdx.y * 9 + threadIdx.x] = blockIdx.x + 13 * blockIdx.y + 377 * blockIdx.z;
  __syncthreads();
  if (x >= w)
    return;
  float Read = tile[7 - threadIdx.y][7 - threadIdx.x] + more[(7 - threadIdx.y) * 9 + 7 - threadIdx.x];
  if (y >= h)
    return;
  out[at] = Read + 1000 * gridDim.x + 10000 * gridDim.y + 100000 * gridDim.z;
}
