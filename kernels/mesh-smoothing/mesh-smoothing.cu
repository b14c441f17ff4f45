// One step of Laplacian smoothing of several fields on a mesh without structure: each value moves towards the mean of
// its six neighbours. One value a thread; threads of a block read one field at neighbouring nodes.
#define NEIGHBOURS 6

__global__ void smooth(const unsigned short *neighbours, const float *old, float *smoothed, float weight, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes)
    return;
  const float *field = old + (size_t)blockIdx.y * nodes;
  float sum = 0;
  for (int k = 0; k < NEIGHBOURS; ++k)
    sum += field[neighbours[k * nodes + node]];
  float here = field[node];
  smoothed[(size_t)blockIdx.y * nodes + node] = here + weight * (sum / NEIGHBOURS - here);
}
