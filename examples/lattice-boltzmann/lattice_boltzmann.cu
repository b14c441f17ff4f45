// Flow in a channel past a cylinder with the lattice Boltzmann method in two dimensions (D2Q9, BGK).
//
// lattice_boltzmann [n]: a channel of 2n x n cells, 100 steps.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static inline void check(cudaError_t e, const char *file, int line) {
  if (e != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(e));
    exit(2);
  }
}
#define CHECK(e) check(e, __FILE__, __LINE__)

#define STEPS 100
#define OMEGA 1.2f
#define INFLOW 0.08f

__constant__ int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weight[9];
__constant__ int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

static const int hcx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int hcy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float hweight[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
static const int hopposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__host__ __device__ inline float equilibrium(float w, int ex, int ey, float rho, float ux, float uy) {
  float eu = 3.0f * (ex * ux + ey * uy);
  return w * rho * (1.0f + eu + 0.5f * eu * eu - 1.5f * (ux * ux + uy * uy));
}

__global__ void start(float *f, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    for (int k = 0; k < 9; k++)
      f[(k * height + y) * width + x] = equilibrium(weight[k], cx[k], cy[k], 1.0f, INFLOW, 0.0f);
}

// Gathers what streams into a cell, then collides. Walls and the cylinder bounce back; the left column is the inflow,
// the right column copies its neighbour.
__global__ void step(const float *in, float *out, const unsigned char *solid, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int cell = y * width + x, plane = width * height;
  float f[9];
  if (x == 0) {
    for (int k = 0; k < 9; k++)
      f[k] = equilibrium(weight[k], cx[k], cy[k], 1.0f, INFLOW, 0.0f);
  } else {
    int column = x == width - 1 ? x - 1 : x;
    for (int k = 0; k < 9; k++) {
      int fromX = column - cx[k], fromY = y - cy[k];
      if (fromY < 0 || fromY >= height || solid[fromY * width + fromX])
        f[k] = in[opposite[k] * plane + y * width + column];
      else
        f[k] = in[k * plane + fromY * width + fromX];
    }
  }
  float rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    rho += f[k];
    ux += f[k] * cx[k];
    uy += f[k] * cy[k];
  }
  ux /= rho;
  uy /= rho;
  for (int k = 0; k < 9; k++)
    out[k * plane + cell] = f[k] + OMEGA * (equilibrium(weight[k], cx[k], cy[k], rho, ux, uy) - f[k]);
}

__global__ void speed(const float *f, float *result, int width, int height) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x, plane = width * height;
  if (cell >= plane)
    return;
  float rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    float v = f[k * plane + cell];
    rho += v;
    ux += v * cx[k];
    uy += v * cy[k];
  }
  result[cell] = sqrtf(ux * ux + uy * uy) / rho;
}

static void hostStep(const std::vector<float> &in, std::vector<float> &out, const std::vector<unsigned char> &solid,
                     int width, int height) {
  int plane = width * height;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float f[9], rho = 0, ux = 0, uy = 0;
      int column = x == width - 1 ? x - 1 : x;
      for (int k = 0; k < 9; k++) {
        int fromX = column - hcx[k], fromY = y - hcy[k];
        if (x == 0)
          f[k] = equilibrium(hweight[k], hcx[k], hcy[k], 1.0f, INFLOW, 0.0f);
        else if (fromY < 0 || fromY >= height || solid[fromY * width + fromX])
          f[k] = in[hopposite[k] * plane + y * width + column];
        else
          f[k] = in[k * plane + fromY * width + fromX];
        rho += f[k];
        ux += f[k] * hcx[k];
        uy += f[k] * hcy[k];
      }
      ux /= rho;
      uy /= rho;
      for (int k = 0; k < 9; k++)
        out[k * plane + y * width + x] =
            f[k] + OMEGA * (equilibrium(hweight[k], hcx[k], hcy[k], rho, ux, uy) - f[k]);
    }
}

int main(int argc, char **argv) {
  int height = argc > 1 ? atoi(argv[1]) : 512;
  int width = 2 * height, cells = width * height;
  std::vector<unsigned char> solid(cells, 0);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float dx = x - 0.6f * width, dy = y - 0.5f * height;
      solid[y * width + x] = dx * dx + dy * dy < 0.01f * height * height;
    }
  float *a, *b, *dSpeed;
  unsigned char *dSolid;
  CHECK(cudaMalloc(&a, 9 * cells * sizeof(float)));
  CHECK(cudaMalloc(&b, 9 * cells * sizeof(float)));
  CHECK(cudaMalloc(&dSpeed, cells * sizeof(float)));
  CHECK(cudaMalloc(&dSolid, cells));
  CHECK(cudaMemcpy(dSolid, solid.data(), cells, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weight, hweight, sizeof(hweight)));

  dim3 block(64, 4), grid((width + 63) / 64, (height + 3) / 4);
  start<<<grid, block>>>(a, width, height);
  for (int s = 0; s < STEPS; s += 2) {
    step<<<grid, block>>>(a, b, dSolid, width, height);
    step<<<grid, block>>>(b, a, dSolid, width, height);
  }
  speed<<<(cells + 255) / 256, 256>>>(a, dSpeed, width, height);
  CHECK(cudaGetLastError());
  std::vector<float> result(cells);
  CHECK(cudaMemcpy(result.data(), dSpeed, cells * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<float> f(9 * cells), g(9 * cells);
  for (int k = 0; k < 9; k++)
    for (int c = 0; c < cells; c++)
      f[k * cells + c] = equilibrium(hweight[k], hcx[k], hcy[k], 1.0f, INFLOW, 0.0f);
  for (int s = 0; s < STEPS; s++) {
    hostStep(f, g, solid, width, height);
    f.swap(g);
  }
  double worst = 0;
  bool pass = true;
  for (int c = 0; c < cells; c++) {
    float rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
      rho += f[k * cells + c];
      ux += f[k * cells + c] * hcx[k];
      uy += f[k * cells + c] * hcy[k];
    }
    double difference = fabs(result[c] - sqrtf(ux * ux + uy * uy) / rho);
    worst = fmax(worst, difference);
    pass = pass && difference < 1e-4;
  }
  printf("lattice-boltzmann %d x %d, %d steps: error %.2g: %s\n", width, height, STEPS, worst, pass ? "PASS" : "FAIL");
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(dSpeed));
  CHECK(cudaFree(dSolid));
  return pass ? 0 : 1;
}
