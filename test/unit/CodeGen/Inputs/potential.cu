// Coulombic potential of atoms on a plane: constant memory, rsqrt, products of sums.
__constant__ float4 Atoms[1000];
__global__ void potential(float *Grid, int Count, float Spacing, float z) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float Energy = 0.0f;
  for (int a = 0; a < Count; ++a) {
    float dx = Spacing * x - Atoms[a].x, dy = Spacing * y - Atoms[a].y, dz = z - Atoms[a].z;
    Energy += Atoms[a].w * rsqrtf(dx * dx + dy * dy + dz * dz);
  }
  Grid[y * gridDim.x * blockDim.x + x] += Energy;
}
