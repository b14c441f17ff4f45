// Sorts numbers below 65536 by counting, a byte at a time: histogram, exclusive scan, stable scatter.
//
// histogram_scan [n]: n numbers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                            \
  do {                                                                                                         \
    cudaError_t err = call;                                                                                    \
    if (err != cudaSuccess) {                                                                                  \
      printf("%s at %s:%d\n", cudaGetErrorString(err), __FILE__, __LINE__);                                    \
      return 2;                                                                                                \
    }                                                                                                          \
  } while (0)

const int BINS = 256;
const int THREADS = 256;
const int PER_BLOCK = 1024; // Numbers that a block counts and places.

// The histogram of each block; bin b of block k is counts[b * blocks + k], so that a scan gives places.
__global__ void histogram(const unsigned *in, unsigned *counts, int n, int shift) {
  __shared__ unsigned local[BINS];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < PER_BLOCK; k += THREADS) {
    int i = blockIdx.x * PER_BLOCK + k;
    if (i < n)
      atomicAdd(&local[(in[i] >> shift) & (BINS - 1)], 1u);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// An exclusive scan of each block's part, in place; its sum goes to sums.
__global__ void scanBlocks(unsigned *data, unsigned *sums, int n) {
  __shared__ unsigned buffer[2][THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  unsigned value = i < n ? data[i] : 0;
  int from = 0;
  buffer[from][threadIdx.x] = value;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    unsigned sum = buffer[from][threadIdx.x];
    if (threadIdx.x >= distance)
      sum += buffer[from][threadIdx.x - distance];
    buffer[1 - from][threadIdx.x] = sum;
    from = 1 - from;
    __syncthreads();
  }
  unsigned inclusive = buffer[from][threadIdx.x];
  if (i < n)
    data[i] = inclusive - value;
  if (threadIdx.x == THREADS - 1)
    sums[blockIdx.x] = inclusive;
}

__global__ void addSums(unsigned *data, const unsigned *sums, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n)
    data[i] += sums[blockIdx.x];
}

// A thread per bin walks the numbers of its block in order, which keeps the sort stable.
__global__ void scatter(const unsigned *in, unsigned *out, const unsigned *places, int n, int shift) {
  __shared__ unsigned numbers[PER_BLOCK];
  int first = blockIdx.x * PER_BLOCK;
  int count = min(PER_BLOCK, n - first);
  for (int k = threadIdx.x; k < count; k += THREADS)
    numbers[k] = in[first + k];
  __syncthreads();
  unsigned place = places[threadIdx.x * gridDim.x + blockIdx.x];
  for (int k = 0; k < count; ++k)
    if (((numbers[k] >> shift) & (BINS - 1)) == threadIdx.x)
      out[place++] = numbers[k];
}

// An exclusive scan of any number of elements; sums has room for all levels.
static void scan(unsigned *data, unsigned *sums, int n) {
  int blocks = (n + THREADS - 1) / THREADS;
  scanBlocks<<<blocks, THREADS>>>(data, sums, n);
  if (blocks == 1)
    return;
  scan(sums, sums + blocks, blocks);
  addSums<<<blocks, THREADS>>>(data, sums, n);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22;
  int blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
  int counters = BINS * blocks;
  std::vector<unsigned> numbers(n), sorted(n);
  unsigned state = 12345;
  for (unsigned &x : numbers) {
    state = state * 1664525u + 1013904223u;
    x = state >> 16;
  }
  unsigned *a, *b, *counts, *sums;
  CHECK(cudaMalloc(&a, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&b, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&counts, counters * sizeof(unsigned)));
  CHECK(cudaMalloc(&sums, (counters / (THREADS - 1) + 64) * sizeof(unsigned)));
  CHECK(cudaMemcpy(a, numbers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

  for (int shift = 0; shift < 16; shift += 8) {
    histogram<<<blocks, THREADS>>>(a, counts, n, shift);
    scan(counts, sums, counters);
    scatter<<<blocks, THREADS>>>(a, b, counts, n, shift);
    CHECK(cudaGetLastError());
    std::swap(a, b);
  }
  CHECK(cudaMemcpy(sorted.data(), a, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::sort(numbers.begin(), numbers.end());
  bool pass = sorted == numbers;
  printf("histogram-scan %d numbers: %s\n", n, pass ? "PASS" : "FAIL");
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(counts));
  CHECK(cudaFree(sums));
  return pass ? 0 : 1;
}
