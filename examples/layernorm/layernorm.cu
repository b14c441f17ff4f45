// What stands between two matrix multiplications of a transformer: layer norm, a bias and GELU, and a residual sum.
//
// layernorm [rows]: rows of 1024 channels, 4 layers.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                                                               \
  do {                                                                                                         \
    cudaError_t e_ = (x);                                                                                      \
    if (e_ != cudaSuccess) {                                                                                   \
      printf("CUDA error %s at line %d\n", cudaGetErrorName(e_), __LINE__);                                    \
      exit(2);                                                                                                 \
    }                                                                                                          \
  } while (0)

static const int CHANNELS = 1024;
static const int LAYERS = 4;

__device__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

// The sum over a block, for all its threads.
template <int THREADS> __device__ float blockSum(float v) {
  __shared__ float partial[THREADS / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warpSum(v);
  if (lane == 0)
    partial[warp] = v;
  __syncthreads();
  v = lane < THREADS / 32 ? partial[lane] : 0.0f;
  v = warpSum(v);
  __syncthreads();
  return v;
}

// A block per row.
template <int THREADS>
__global__ void layerNorm(const float *__restrict__ x, const float *__restrict__ gamma,
                          const float *__restrict__ beta, float *__restrict__ y, int channels, float epsilon) {
  const float *row = x + (size_t)blockIdx.x * channels;
  float *out = y + (size_t)blockIdx.x * channels;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < channels; c += THREADS)
    sum += row[c];
  float mean = blockSum<THREADS>(sum) / channels;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < channels; c += THREADS) {
    float d = row[c] - mean;
    squares += d * d;
  }
  float scale = rsqrtf(blockSum<THREADS>(squares) / channels + epsilon);
  for (int c = threadIdx.x; c < channels; c += THREADS)
    out[c] = (row[c] - mean) * scale * gamma[c] + beta[c];
}

__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

__global__ void biasGelu(float *x, const float *bias, int channels, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] = gelu(x[i] + bias[i % channels]);
}

__global__ void addResidual(float *x, const float *y, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    x[i] += y[i];
}

// All layers for one row, in double precision.
static void reference(std::vector<double> &x, const std::vector<float> &gamma, const std::vector<float> &beta,
                      const std::vector<float> &bias) {
  for (int layer = 0; layer < LAYERS; ++layer) {
    double mean = 0, variance = 0;
    for (double v : x)
      mean += v / CHANNELS;
    for (double v : x)
      variance += (v - mean) * (v - mean) / CHANNELS;
    for (int c = 0; c < CHANNELS; ++c) {
      double v = (x[c] - mean) / sqrt(variance + 1e-5) * gamma[c] + beta[c] + bias[c];
      x[c] += 0.5 * v * (1 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    }
  }
}

static float *upload(const std::vector<float> &host) {
  float *device;
  CHECK(cudaMalloc(&device, host.size() * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 8192;
  int count = rows * CHANNELS;
  std::vector<float> x(count), gamma(CHANNELS), beta(CHANNELS), bias(CHANNELS);
  for (int i = 0; i < count; ++i)
    x[i] = sinf(0.37f * i) + 0.001f * (i % 977);
  for (int c = 0; c < CHANNELS; ++c) {
    gamma[c] = 1.0f + 0.1f * cosf(c);
    beta[c] = 0.05f * sinf(c);
    bias[c] = 0.01f * (c % 17 - 8);
  }
  float *dx = upload(x), *dgamma = upload(gamma), *dbeta = upload(beta), *dbias = upload(bias), *dy;
  CHECK(cudaMalloc(&dy, count * sizeof(float)));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int layer = 0; layer < LAYERS; ++layer) {
    layerNorm<256><<<rows, 256, 0, stream>>>(dx, dgamma, dbeta, dy, CHANNELS, 1e-5f);
    biasGelu<<<(count + 255) / 256, 256, 0, stream>>>(dy, dbias, CHANNELS, count);
    addResidual<<<512, 256, 0, stream>>>(dx, dy, count);
  }
  CHECK(cudaGetLastError());
  std::vector<float> result(count);
  CHECK(cudaMemcpyAsync(result.data(), dx, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  double worst = 0;
  bool pass = true;
  for (int row = 0; row < rows; row += (rows + 31) / 32) {
    std::vector<double> expected(x.begin() + row * CHANNELS, x.begin() + (row + 1) * CHANNELS);
    reference(expected, gamma, beta, bias);
    for (int c = 0; c < CHANNELS; ++c) {
      double error = fabs(result[row * CHANNELS + c] - expected[c]);
      worst = fmax(worst, error);
      pass = pass && error < 1e-3;
    }
  }
  printf("layernorm %d rows of %d, %d layers: error %.2g: %s\n", rows, CHANNELS, LAYERS, worst,
         pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
