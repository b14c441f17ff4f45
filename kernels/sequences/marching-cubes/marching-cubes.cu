// Marching cubes (Lorensen and Cline, SIGGRAPH 1987): the surface on which a field has the value iso, as triangles. The
// field is a sum of soft balls, sampled at side * side * side points; between them lie voxels, one a thread. Voxels are
// classified by which of their corners are inside, those that the surface cuts are compacted, and each of these writes
// its triangles where prefix sums say. Corner c of a voxel has the coordinates x = c & 1, y = c >> 1 & 1, z = c >> 2; the
// tables are those of make-cases.
#define BLOCK 256
#define MOST 15

struct alignas(16) Ball {
  float x, y, z, radius;
};

__global__ void sample(const Ball *balls, float *field, int count, int side, float spacing) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side * side)
    return;
  float x = spacing * (i % side);
  float y = spacing * (i / side % side);
  float z = spacing * (i / (side * side));
  float sum = 0.0f;
  for (int b = 0; b < count; b++) {
    float dx = x - balls[b].x;
    float dy = y - balls[b].y;
    float dz = z - balls[b].z;
    float radius = balls[b].radius;
    float rest = 1.0f - (dx * dx + dy * dy + dz * dz) / (radius * radius);
    if (rest > 0.0f)
      sum += rest * rest;
  }
  field[i] = sum;
}

/// The index of the point at the lowest corner of a voxel.
__device__ int lowest_corner(int voxel, int side) {
  int cells = side - 1;
  int x = voxel % cells;
  int y = voxel / cells % cells;
  int z = voxel / (cells * cells);
  return (z * side + y) * side + x;
}

__device__ int offset_of(int corner, int side) {
  return ((corner >> 2) * side + (corner >> 1 & 1)) * side + (corner & 1);
}

__device__ int case_of(const float *field, int lowest, int side, float iso) {
  int found = 0;
  for (int corner = 0; corner < 8; corner++)
    if (field[lowest + offset_of(corner, side)] > iso)
      found |= 1 << corner;
  return found;
}

__global__ void classify(const float *field, const unsigned char *counts, unsigned *vertices, unsigned *occupied,
                         int voxels, int side, float iso) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels)
    return;
  unsigned count = counts[case_of(field, lowest_corner(i, side), side, iso)];
  vertices[i] = count;
  occupied[i] = count > 0;
}

// Exclusive prefix sums, within blocks.
__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *block_sums, int n) {
  __shared__ unsigned temp[2][BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  int current = 0;
  unsigned mine = i < n ? in[i] : 0;
  temp[current][tid] = mine;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    unsigned value = temp[current][tid];
    if (tid >= offset)
      value += temp[current][tid - offset];
    current = 1 - current;
    temp[current][tid] = value;
    __syncthreads();
  }
  if (i < n)
    out[i] = temp[current][tid] - mine;
  if (tid == BLOCK - 1)
    block_sums[blockIdx.x] = temp[current][tid];
}

// By one block.
__global__ void scan_sums(const unsigned *block_sums, unsigned *offsets, unsigned *total, int blocks) {
  __shared__ unsigned temp[2][BLOCK];
  int tid = threadIdx.x;
  unsigned sum = 0;
  for (int first = 0; first < blocks; first += BLOCK) {
    int i = first + tid;
    int current = 0;
    unsigned mine = i < blocks ? block_sums[i] : 0;
    temp[current][tid] = mine;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
      unsigned value = temp[current][tid];
      if (tid >= offset)
        value += temp[current][tid - offset];
      current = 1 - current;
      temp[current][tid] = value;
      __syncthreads();
    }
    if (i < blocks)
      offsets[i] = sum + temp[current][tid] - mine;
    sum += temp[current][BLOCK - 1];
    __syncthreads();
  }
  if (tid == 0)
    *total = sum;
}

__global__ void add_offsets(unsigned *out, const unsigned *offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += offsets[i / BLOCK];
}

__global__ void compact(const unsigned *occupied, const unsigned *occupied_before, unsigned *compacted, int voxels,
                        int capacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels)
    return;
  if (occupied[i] && occupied_before[i] < capacity)
    compacted[occupied_before[i]] = i;
}

/// Where the surface cuts the edge, in units of the spacing.
__device__ float3 cut(const float *field, int lowest, int side, int edge, float iso) {
  int from = edge & 7;
  int to = edge >> 3;
  float a = field[lowest + offset_of(from, side)];
  float b = field[lowest + offset_of(to, side)];
  float t = (iso - a) / (b - a);
  int along = to - from;
  float x = lowest % side + (from & 1);
  float y = lowest / side % side + (from >> 1 & 1);
  float z = lowest / (side * side) + (from >> 2);
  return make_float3(along == 1 ? x + t : x, along == 2 ? y + t : y, along == 4 ? z + t : z);
}

// One voxel that the surface cuts a thread. Normals are as long as twice the triangle's area.
__global__ void generate(const float *field, const unsigned *compacted, const unsigned *active,
                         const unsigned *vertices_before, const unsigned char *counts, const unsigned char *triangles,
                         float4 *positions, float4 *normals, int side, float iso, int capacity, int room) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= capacity)
    return;
  if (i >= *active)
    return;
  int voxel = compacted[i];
  int lowest = lowest_corner(voxel, side);
  int shape = case_of(field, lowest, side, iso);
  int count = counts[shape];
  int first = vertices_before[voxel];
  if (first + count > room)
    return;
  for (int k = 0; k < count; k += 3) {
    const unsigned char *edges = triangles + MOST * shape + k;
    float3 a = cut(field, lowest, side, edges[0], iso);
    float3 b = cut(field, lowest, side, edges[1], iso);
    float3 c = cut(field, lowest, side, edges[2], iso);
    float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    float4 normal = make_float4(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, 0.0f);
    int at = first + k;
    positions[at] = make_float4(a.x, a.y, a.z, 1.0f);
    positions[at + 1] = make_float4(b.x, b.y, b.z, 1.0f);
    positions[at + 2] = make_float4(c.x, c.y, c.z, 1.0f);
    normals[at] = normal;
    normals[at + 1] = normal;
    normals[at + 2] = normal;
  }
}
