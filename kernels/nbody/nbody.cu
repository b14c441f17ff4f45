// Gravitational acceleration of n bodies by all others, one body a thread. bodies holds positions in x, y, z and the
// mass in w; the bodies pass through shared memory in tiles of BLOCK. n is a multiple of BLOCK.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void nbody(const float4 *bodies, float4 *acceleration, int n, float softening) {
  __shared__ float4 tile[BLOCK];

  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = bodies[i];
  float ax = 0.0f;
  float ay = 0.0f;
  float az = 0.0f;

  for (int start = 0; start < n; start += BLOCK) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();

    for (int j = 0; j < BLOCK; j++) {
      float dx = tile[j].x - me.x;
      float dy = tile[j].y - me.y;
      float dz = tile[j].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float strength = tile[j].w * inverse * inverse * inverse;
      ax += dx * strength;
      ay += dy * strength;
      az += dz * strength;
    }
    __syncthreads();
  }

  acceleration[i] = make_float4(ax, ay, az, 0.0f);
}
