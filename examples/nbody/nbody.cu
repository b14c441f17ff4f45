// Gravity between n bodies, all pairs, with leapfrog integration.
//
// nbody [n]: n bodies, a multiple of 256; 10 steps.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(2);
}

#define BLOCK 256
#define STEPS 10
#define DT 0.01f
#define SOFTENING 0.01f

// The acceleration of each body. A block loads the bodies tile by tile.
__global__ void accelerations(const float4 *position, float3 *acceleration, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = position[i];
  float3 a = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += BLOCK) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < BLOCK; j++) {
      float4 q = tile[j];
      float dx = q.x - p.x;
      float dy = q.y - p.y;
      float dz = q.z - p.z;
      float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
      float inverse = rsqrtf(r2);
      float s = q.w * inverse * inverse * inverse;
      a.x += s * dx;
      a.y += s * dy;
      a.z += s * dz;
    }
    __syncthreads();
  }
  acceleration[i] = a;
}

__global__ void integrate(float4 *position, float3 *velocity, const float3 *acceleration, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float3 v = velocity[i];
    float3 a = acceleration[i];
    v.x += a.x * dt;
    v.y += a.y * dt;
    v.z += a.z * dt;
    velocity[i] = v;
    float4 p = position[i];
    p.x += v.x * dt;
    p.y += v.y * dt;
    p.z += v.z * dt;
    position[i] = p;
  }
}

static float uniform() { return rand() / (float)RAND_MAX; }

// The acceleration of body i in double precision.
static void reference(const std::vector<float4> &position, int i, double a[3]) {
  a[0] = a[1] = a[2] = 0;
  for (const float4 &q : position) {
    double dx = q.x - position[i].x, dy = q.y - position[i].y, dz = q.z - position[i].z;
    double r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
    double s = q.w / (r2 * sqrt(r2));
    a[0] += s * dx;
    a[1] += s * dy;
    a[2] += s * dz;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 16384;
  if (n <= 0 || n % BLOCK != 0) {
    fprintf(stderr, "n must be a multiple of %d\n", BLOCK);
    return 2;
  }
  srand(1);
  std::vector<float4> position(n);
  for (float4 &p : position)
    p = make_float4(2 * uniform() - 1, 2 * uniform() - 1, 2 * uniform() - 1, uniform() / n);
  float4 *dPosition;
  float3 *dVelocity, *dAcceleration;
  check(cudaMalloc(&dPosition, n * sizeof(float4)), "cudaMalloc");
  check(cudaMalloc(&dVelocity, n * sizeof(float3)), "cudaMalloc");
  check(cudaMalloc(&dAcceleration, n * sizeof(float3)), "cudaMalloc");
  check(cudaMemcpy(dPosition, position.data(), n * sizeof(float4), cudaMemcpyHostToDevice), "copy");
  check(cudaMemset(dVelocity, 0, n * sizeof(float3)), "cudaMemset");

  std::vector<float3> velocity(n);
  for (int step = 0; step < STEPS; step++) {
    if (step == STEPS - 1) { // What the last step is checked against.
      check(cudaMemcpy(position.data(), dPosition, n * sizeof(float4), cudaMemcpyDeviceToHost), "copy");
      check(cudaMemcpy(velocity.data(), dVelocity, n * sizeof(float3), cudaMemcpyDeviceToHost), "copy");
    }
    accelerations<<<n / BLOCK, BLOCK>>>(dPosition, dAcceleration, n);
    integrate<<<n / BLOCK, BLOCK>>>(dPosition, dVelocity, dAcceleration, n, DT);
  }
  check(cudaGetLastError(), "launch");

  std::vector<float4> newPosition(n);
  std::vector<float3> newVelocity(n);
  check(cudaMemcpy(newPosition.data(), dPosition, n * sizeof(float4), cudaMemcpyDeviceToHost), "copy");
  check(cudaMemcpy(newVelocity.data(), dVelocity, n * sizeof(float3), cudaMemcpyDeviceToHost), "copy");
  double worst = 0;
  bool pass = true;
  for (int i = 0; i < n; i += n / 64) {
    double a[3];
    reference(position, i, a);
    const float3 &v = velocity[i], &w = newVelocity[i];
    const float4 &p = position[i], &q = newPosition[i];
    double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    double errors[] = {w.x - (v.x + a[0] * DT), w.y - (v.y + a[1] * DT), w.z - (v.z + a[2] * DT),
                       q.x - (p.x + w.x * DT),  q.y - (p.y + w.y * DT),  q.z - (p.z + w.z * DT)};
    for (double error : errors) {
      worst = fmax(worst, fabs(error));
      pass = pass && fabs(error) < 1e-5 * (1 + speed);
    }
  }
  printf("nbody %d bodies, %d steps: error %.2g: %s\n", n, STEPS, worst, pass ? "PASS" : "FAIL");
  cudaFree(dPosition);
  cudaFree(dVelocity);
  cudaFree(dAcceleration);
  return pass ? 0 : 1;
}
