// Steps of balls of one size that collide in a box, with a uniform grid of cells at least as wide as a ball: each ball is
// given the key of its cell, the keys are sorted (Batcher, 1968), the first and the last ball of each cell are found, and
// each ball meets those of its own and the 26 neighbouring cells, by springs and dampers (Cundall and Strack, 1979). A key
// holds the cell in its upper half and the ball in its lower half, so that no two are equal. One ball, key or cell a
// thread.
using Key = unsigned long long;

struct Contact {
  float radius, spring, damping, shear;
};

__device__ int cell_along(float x, int cells) { return min(max(static_cast<int>(x * cells), 0), cells - 1); }

// Behind the balls, the keys up to a power of two are greater than all others.
__global__ void make_keys(const float4 *position, Key *keys, int balls, int slots, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= slots)
    return;
  Key key = ~0ull;
  if (i < balls) {
    float4 p = position[i];
    int cell = (cell_along(p.z, cells) * cells + cell_along(p.y, cells)) * cells + cell_along(p.x, cells);
    key = static_cast<Key>(cell) << 32 | i;
  }
  keys[i] = key;
}

// One step of a bitonic sort: pairs at the distance 2^distance, in parts of 2^part keys.
__global__ void sort_step(const Key *keys, Key *next, int slots, int distance, int part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= slots)
    return;
  Key mine = keys[i];
  Key other = keys[i ^ 1 << distance];
  bool is_first = (i >> distance & 1) == 0;
  bool is_ascending = (i >> part & 1) == 0;
  next[i] = is_first == is_ascending ? min(mine, other) : max(mine, other);
}

__global__ void clear_cells(int *first, int *end, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  first[i] = 0;
  end[i] = 0;
}

// Where each cell begins and ends, and the balls in this order.
__global__ void find_cells(const Key *keys, const float4 *position, const float4 *velocity, int *first, int *end,
                           float4 *sorted_position, float4 *sorted_velocity, int balls) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= balls)
    return;
  int cell = keys[i] >> 32;
  if (i == 0 || cell != static_cast<int>(keys[i - 1] >> 32))
    first[cell] = i;
  if (i == balls - 1 || cell != static_cast<int>(keys[i + 1] >> 32))
    end[cell] = i + 1;
  int ball = static_cast<int>(keys[i]);
  sorted_position[i] = position[ball];
  sorted_velocity[i] = velocity[ball];
}

/// The force of a ball b on a ball a.
__device__ float3 force_of(float4 a, float4 b, float4 velocity_a, float4 velocity_b, Contact contact) {
  float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  float distance = sqrtf(x * x + y * y + z * z);
  float overlap = 2.0f * contact.radius - distance;
  if (overlap <= 0.0f)
    return make_float3(0.0f, 0.0f, 0.0f);
  x /= distance;
  y /= distance;
  z /= distance;
  float u = velocity_b.x - velocity_a.x, v = velocity_b.y - velocity_a.y, w = velocity_b.z - velocity_a.z;
  float along = u * x + v * y + w * z;
  float push = -contact.spring * overlap + (contact.damping - contact.shear) * along;
  return make_float3(push * x + contact.shear * u, push * y + contact.shear * v, push * z + contact.shear * w);
}

__global__ void collide(const Key *keys, const int *first, const int *end, const float4 *sorted_position,
                        const float4 *sorted_velocity, float4 *velocity, int balls, int cells, float dt,
                        Contact contact) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= balls)
    return;
  float4 here = sorted_position[i];
  float4 mine = sorted_velocity[i];
  int cx = cell_along(here.x, cells), cy = cell_along(here.y, cells), cz = cell_along(here.z, cells);
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, cells - 1); z++)
    for (int y = max(cy - 1, 0); y <= min(cy + 1, cells - 1); y++)
      for (int x = max(cx - 1, 0); x <= min(cx + 1, cells - 1); x++) {
        int cell = (z * cells + y) * cells + x;
        for (int j = first[cell]; j < end[cell]; j++) {
          if (j == i)
            continue;
          float3 f = force_of(here, sorted_position[j], mine, sorted_velocity[j], contact);
          fx += f.x;
          fy += f.y;
          fz += f.z;
        }
      }
  int ball = static_cast<int>(keys[i]);
  velocity[ball] = make_float4(mine.x + dt * fx, mine.y + dt * fy, mine.z + dt * fz, 0.0f);
}

// Along one axis: walls at 0 and 1 turn the ball back.
__device__ void advance(float &x, float &v, float dt, float radius, float restitution) {
  x += dt * v;
  if (x > 1.0f - radius) {
    x = 1.0f - radius;
    v *= -restitution;
  }
  if (x < radius) {
    x = radius;
    v *= -restitution;
  }
}

__global__ void integrate(float4 *position, float4 *velocity, int balls, float dt, float gravity, float radius,
                          float restitution) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= balls)
    return;
  float4 p = position[i];
  float4 v = velocity[i];
  v.z -= dt * gravity;
  advance(p.x, v.x, dt, radius, restitution);
  advance(p.y, v.y, dt, radius, restitution);
  advance(p.z, v.z, dt, radius, restitution);
  position[i] = p;
  velocity[i] = v;
}
