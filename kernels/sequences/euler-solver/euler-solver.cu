// The Euler equations of a compressible gas in three dimensions on an unstructured mesh, by finite volumes: a time step of
// its own for each cell, fluxes over its four faces (Rusanov, 1961) and three stages of a Runge-Kutta scheme (Jameson,
// Schmidt and Turkel, 1981). The mesh are tetrahedra, six in each cube of a grid whose points are moved a little. Values
// of the cells are stored one after the other: all densities, then three components of momentum, then energies. One cell a
// thread.
#define FACES 4
#define VARIABLES 5
#define WALL -1
#define FAR -2
#define GAMMA 1.4f

struct State {
  float density, x, y, z, energy;
};

/// A point of the grid, moved by a tenth of the spacing at most.
__device__ float3 grid_point(int x, int y, int z, float spacing) {
  float along = ((7 * x + 3 * y + 5 * z) % 11 - 5) * 0.02f;
  float across = ((5 * x + 9 * y + 2 * z) % 7 - 3) * 0.03f;
  return make_float3((x + along) * spacing, (y + across) * spacing, (z + along * across) * spacing);
}

/// The area of the triangle from a to b and c, as a vector that points away from inside.
__device__ float3 area_of(float3 a, float3 b, float3 c, float3 inside) {
  float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  float x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
  float out = x * (a.x - inside.x) + y * (a.y - inside.y) + z * (a.z - inside.z);
  float half = out < 0.0f ? -0.5f : 0.5f;
  return make_float3(half * x, half * y, half * z);
}

// The tetrahedron k of a cube goes from its lowest to its highest corner, along the axes in the k-th order. Without its
// first corner it borders on the next cube along the first axis, without its last corner on the previous one along the
// last axis, and without another one on the tetrahedron that exchanges the axes around this corner.
__global__ void make_mesh(int *neighbours, float *normals, float *volumes, int nx, int ny, int nz, float spacing) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int cells = 6 * nx * ny * nz;
  if (i >= cells)
    return;
  int cube = i / 6, k = i % 6;
  int cx = cube % nx, cy = cube / nx % ny, cz = cube / (nx * ny);
  // Even orders turn (0, 1, 2) around; each odd one exchanges the last two of the even one before it.
  int turn = k / 2, odd = k % 2;
  int first = turn, last = (turn + 2 - odd) % 3;

  float3 corner[4];
  int x = cx, y = cy, z = cz;
  for (int c = 0; c < 4; c++) {
    corner[c] = grid_point(x, y, z, spacing);
    int axis = c == 0 ? first : c == 1 ? 3 - first - last : last;
    x += axis == 0;
    y += axis == 1;
    z += axis == 2;
  }

  // Orders (a, b, c) turned to (b, c, a) and (c, a, b), and with the first and the last two exchanged.
  int turned = 2 * ((turn + 1 + odd) % 3) + odd;
  int turned_back = 2 * ((turn + 2 - odd) % 3) + odd;
  int first_exchanged = odd ? 2 * ((turn + 2) % 3) : 2 * ((turn + 1) % 3) + 1;
  int last_exchanged = k ^ 1;
  int step[3] = {1, nx, nx * ny};
  bool at_end = first == 0 ? cx == nx - 1 : first == 1 ? cy == ny - 1 : cz == nz - 1;
  bool at_begin = last == 0 ? cx == 0 : last == 1 ? cy == 0 : cz == 0;
  neighbours[i] = at_end ? FAR : 6 * (cube + step[first]) + turned;
  neighbours[cells + i] = 6 * cube + first_exchanged;
  neighbours[2 * cells + i] = 6 * cube + last_exchanged;
  neighbours[3 * cells + i] = at_begin ? (last == 2 ? WALL : FAR) : 6 * (cube - step[last]) + turned_back;

  float3 area;
  for (int face = 0; face < FACES; face++) {
    area = area_of(corner[face == 0 ? 1 : 0], corner[face <= 1 ? 2 : 1], corner[face <= 2 ? 3 : 2], corner[face]);
    normals[(3 * face + 0) * cells + i] = area.x;
    normals[(3 * face + 1) * cells + i] = area.y;
    normals[(3 * face + 2) * cells + i] = area.z;
  }
  volumes[i] = (area.x * (corner[0].x - corner[3].x) + area.y * (corner[0].y - corner[3].y) +
                area.z * (corner[0].z - corner[3].z)) / 3.0f;
}

__device__ State load(const float *variables, int cells, int i) {
  return {variables[i], variables[cells + i], variables[2 * cells + i], variables[3 * cells + i],
          variables[4 * cells + i]};
}

__device__ float pressure_of(State s) {
  return (GAMMA - 1.0f) * (s.energy - 0.5f * (s.x * s.x + s.y * s.y + s.z * s.z) / s.density);
}

// The free stream, disturbed.
__global__ void initialise(const float *noise, float *variables, int cells, State far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  float factor = 1.0f + noise[i];
  variables[i] = factor * far.density;
  variables[cells + i] = factor * far.x;
  variables[2 * cells + i] = factor * far.y;
  variables[3 * cells + i] = factor * far.z;
  variables[4 * cells + i] = factor * far.energy;
}

__global__ void copy(const float *variables, float *old, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  old[i] = variables[i];
}

// The time step, divided by the volume.
__global__ void step_factors(const float *variables, const float *volumes, float *factors, int cells, float courant) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  State s = load(variables, cells, i);
  float speed = sqrtf(s.x * s.x + s.y * s.y + s.z * s.z) / s.density;
  float sound = sqrtf(GAMMA * pressure_of(s) / s.density);
  factors[i] = courant * cbrtf(volumes[i]) / (volumes[i] * (speed + sound));
}

/// What flows through the area n per unit of time, and the greatest speed of a wave times this area.
__device__ State flow_through(State s, float3 n, float &speed) {
  float pressure = pressure_of(s);
  float through = (s.x * n.x + s.y * n.y + s.z * n.z) / s.density;
  float area = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
  speed = fabsf(through) + area * sqrtf(GAMMA * pressure / s.density);
  return {through * s.density, through * s.x + pressure * n.x, through * s.y + pressure * n.y,
          through * s.z + pressure * n.z, through * (s.energy + pressure)};
}

__device__ void add_face(State &sum, State here, State there, float3 n) {
  float speed_here, speed_there;
  State a = flow_through(here, n, speed_here);
  State b = flow_through(there, n, speed_there);
  float speed = fmaxf(speed_here, speed_there);
  sum.density += 0.5f * (a.density + b.density - speed * (there.density - here.density));
  sum.x += 0.5f * (a.x + b.x - speed * (there.x - here.x));
  sum.y += 0.5f * (a.y + b.y - speed * (there.y - here.y));
  sum.z += 0.5f * (a.z + b.z - speed * (there.z - here.z));
  sum.energy += 0.5f * (a.energy + b.energy - speed * (there.energy - here.energy));
}

__global__ void fluxes_of_cells(const int *neighbours, const float *normals, const float *variables, float *fluxes,
                                int cells, State far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  State here = load(variables, cells, i);
  State sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  for (int face = 0; face < FACES; face++) {
    int neighbour = neighbours[face * cells + i];
    float3 n = make_float3(normals[3 * face * cells + i], normals[(3 * face + 1) * cells + i],
                           normals[(3 * face + 2) * cells + i]);
    if (neighbour >= 0) {
      add_face(sum, here, load(variables, cells, neighbour), n);
    } else if (neighbour == FAR) {
      add_face(sum, here, far, n);
    } else {
      float pressure = pressure_of(here);
      sum.x += pressure * n.x;
      sum.y += pressure * n.y;
      sum.z += pressure * n.z;
    }
  }
  fluxes[i] = sum.density;
  fluxes[cells + i] = sum.x;
  fluxes[2 * cells + i] = sum.y;
  fluxes[3 * cells + i] = sum.z;
  fluxes[4 * cells + i] = sum.energy;
}

__global__ void time_step(const float *old, const float *factors, const float *fluxes, float *variables, int cells,
                          float part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  float factor = part * factors[i];
  for (int v = 0; v < VARIABLES; v++)
    variables[v * cells + i] = old[v * cells + i] - factor * fluxes[v * cells + i];
}
