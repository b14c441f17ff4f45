// The Coulombic potential of charged atoms at the points of a plane at height z: energy[y][x] grows by charge / distance
// for every atom. Atoms are x, y, z and charge, in constant memory; one point a thread. The grid of threads is the grid
// of points.
#ifndef MAX_ATOMS
#define MAX_ATOMS 4000
#endif

__constant__ float4 atoms[MAX_ATOMS];

__global__ void coulombic_potential(float *energy, int natoms, float spacing, float z) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * gridDim.x * blockDim.x + x;

  float coord_x = spacing * x;
  float coord_y = spacing * y;
  float potential = 0.0f;
  for (int n = 0; n < natoms; n++) {
    float dx = coord_x - atoms[n].x;
    float dy = coord_y - atoms[n].y;
    float dz = z - atoms[n].z;
    potential += atoms[n].w * rsqrtf(dx * dx + dy * dy + dz * dz);
  }
  energy[i] += potential;
}
