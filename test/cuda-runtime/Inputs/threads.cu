// Threads of the host that allocate, launch and copy at the same time, each on the device that it chose.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__device__ int launches;

__global__ void fill(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = value + i;
  if (i == 0)
    atomicAdd(&launches, 1);
}

static bool work(int id, int devices) {
  bool good = cudaSetDevice(id % devices) == cudaSuccess;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < 50; ++round) {
    int n = 100 + id * 10 + round, *p;
    std::vector<int> host(n);
    cudaMalloc(&p, n * sizeof(int));
    fill<<<(n + 63) / 64, 64, 0, stream>>>(p, n, id * 1000 + round);
    cudaMemcpyAsync(host.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFree(p);
    for (int i = 0; i < n; ++i)
      good = good && host[i] == id * 1000 + round + i;
  }
  // An error of this thread is none of the others'.
  good = good && cudaFree(&stream) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue;
  return good && cudaGetLastError() == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess;
}

int main(int argc, char **argv) {
  int devices = std::atoi(argv[1]), found = 0, sum = 0;
  cudaGetDeviceCount(&found);
  std::vector<std::thread> threads;
  bool good[4];
  for (int id = 0; id < 4; ++id)
    threads.emplace_back([&, id] { good[id] = work(id, devices); });
  for (std::thread &t : threads)
    t.join();
  for (int d = 0; d < devices; ++d) {
    int count = 0;
    cudaSetDevice(d);
    cudaMemcpyFromSymbol(&count, launches, sizeof(count));
    printf("device %d: %d launches\n", d, count);
    sum += count;
  }
  bool pass = found == devices && sum == 200 && good[0] && good[1] && good[2] && good[3];
  printf("%s\n", pass ? "PASS" : "FAIL");
  return !pass;
}
