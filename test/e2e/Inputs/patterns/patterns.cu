// A sum of a neighbour, which lies behind the beginning of a sector, and of entries of a table in constant memory: one of
// its own for each thread, and one for all of a block.
__constant__ float table[64];

__global__ void patterns(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    float next = in[i + 1];
    float own = table[i % 64];
    float same = table[blockIdx.x % 64];
    out[i] = next + own + same;
  }
}
