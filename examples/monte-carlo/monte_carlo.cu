// Prices European call options of Black and Scholes by Monte Carlo simulation; sums with cub.
//
// monte_carlo [paths]: paths per option, a multiple of 1024; 8 options.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <vector>

#define CHECK(call)                                                                                            \
  do {                                                                                                         \
    cudaError_t status = call;                                                                                 \
    if (status != cudaSuccess) {                                                                               \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                                          \
      exit(2);                                                                                                 \
    }                                                                                                          \
  } while (0)

struct Option {
  float spot, strike, rate, volatility, years;
};

static const int THREADS = 256;
static const int PATHS_PER_THREAD = 4;

// A random number generator per thread: PCG with 32 bits of output.
struct Random {
  unsigned long long state;
  __device__ explicit Random(unsigned long long seed) : state(seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull) {
    next();
    next();
  }
  __device__ unsigned next() {
    unsigned long long old = state;
    state = old * 6364136223846793005ull + 1442695040888963407ull;
    unsigned shifted = (unsigned)(((old >> 18) ^ old) >> 27);
    unsigned rotation = (unsigned)(old >> 59);
    return (shifted >> rotation) | (shifted << (-rotation & 31));
  }
  // In (0, 1].
  __device__ float uniform() { return (next() + 1.0f) * 2.3283064e-10f; }
};

// The discounted payoff of each path, and of each block their sum.
__global__ void simulate(Option option, float *payoffs, double *blockSums, unsigned long long seed) {
  typedef cub::BlockReduce<double, THREADS> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Random random(seed + thread);
  float drift = (option.rate - 0.5f * option.volatility * option.volatility) * option.years;
  float diffusion = option.volatility * sqrtf(option.years);
  float discount = expf(-option.rate * option.years);
  double sum = 0;
  for (int p = 0; p < PATHS_PER_THREAD; p += 2) {
    // Two normal numbers of Box and Muller.
    float radius = sqrtf(-2.0f * logf(random.uniform()));
    float sine, cosine;
    sincosf(6.2831853f * random.uniform(), &sine, &cosine);
    float first = option.spot * expf(drift + diffusion * radius * cosine);
    float second = option.spot * expf(drift + diffusion * radius * sine);
    float a = discount * fmaxf(first - option.strike, 0.0f);
    float b = discount * fmaxf(second - option.strike, 0.0f);
    payoffs[(thread * PATHS_PER_THREAD) + p] = a;
    payoffs[(thread * PATHS_PER_THREAD) + p + 1] = b;
    sum += a + b;
  }
  double total = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    blockSums[blockIdx.x] = total;
}

// How far the payoffs are from their mean.
__global__ void squareDeviations(float *payoffs, float mean, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float d = payoffs[i] - mean;
    payoffs[i] = d * d;
  }
}

static double exactPrice(const Option &o) {
  double d1 = (log(o.spot / o.strike) + (o.rate + 0.5 * o.volatility * o.volatility) * o.years) /
              (o.volatility * sqrt(o.years));
  double d2 = d1 - o.volatility * sqrt(o.years);
  return o.spot * 0.5 * erfc(-d1 / sqrt(2.0)) - o.strike * exp(-o.rate * o.years) * 0.5 * erfc(-d2 / sqrt(2.0));
}

int main(int argc, char **argv) {
  int paths = argc > 1 ? atoi(argv[1]) : 1 << 22;
  if (paths <= 0 || paths % (THREADS * PATHS_PER_THREAD) != 0) {
    fprintf(stderr, "the number of paths must be a multiple of %d\n", THREADS * PATHS_PER_THREAD);
    return 2;
  }
  int blocks = paths / (THREADS * PATHS_PER_THREAD);
  std::vector<Option> options;
  for (int i = 0; i < 8; ++i)
    options.push_back({100.0f, 80.0f + 5.0f * i, 0.01f + 0.005f * i, 0.15f + 0.03f * i, 0.5f + 0.25f * i});

  float *payoffs, *variance;
  double *blockSums, *sum;
  CHECK(cudaMalloc(&payoffs, paths * sizeof(float)));
  CHECK(cudaMalloc(&variance, sizeof(float)));
  CHECK(cudaMalloc(&blockSums, blocks * sizeof(double)));
  CHECK(cudaMalloc(&sum, sizeof(double)));
  void *storage = nullptr;
  size_t sumBytes = 0, varianceBytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, sumBytes, blockSums, sum, blocks));
  CHECK(cub::DeviceReduce::Sum(nullptr, varianceBytes, payoffs, variance, paths));
  size_t storageBytes = sumBytes > varianceBytes ? sumBytes : varianceBytes;
  CHECK(cudaMalloc(&storage, storageBytes));

  double worst = 0; // In standard errors.
  bool pass = true;
  for (size_t o = 0; o < options.size(); ++o) {
    simulate<<<blocks, THREADS>>>(options[o], payoffs, blockSums, o * 1000000007ull);
    CHECK(cub::DeviceReduce::Sum(storage, storageBytes, blockSums, sum, blocks));
    double total;
    CHECK(cudaMemcpy(&total, sum, sizeof(total), cudaMemcpyDeviceToHost));
    double mean = total / paths;
    squareDeviations<<<(paths + 255) / 256, 256>>>(payoffs, (float)mean, paths);
    CHECK(cub::DeviceReduce::Sum(storage, storageBytes, payoffs, variance, paths));
    float squares;
    CHECK(cudaMemcpy(&squares, variance, sizeof(squares), cudaMemcpyDeviceToHost));
    double standardError = sqrt(squares / paths / paths);
    double error = fabs(mean - exactPrice(options[o])) / standardError;
    worst = fmax(worst, error);
    pass = pass && error < 5;
  }
  printf("monte-carlo %d paths: %.2f standard errors: %s\n", paths, worst, pass ? "PASS" : "FAIL");
  cudaFree(payoffs);
  cudaFree(variance);
  cudaFree(blockSums);
  cudaFree(sum);
  cudaFree(storage);
  return pass ? 0 : 1;
}
