//===- dispatch-cost.cu - What choosing a kernel costs a launch -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built with a tuning record of one of two equal kernels (test/benchmark/dispatch-cost), it times launches of the one,
// which go through the dispatch code, and of the other, which do not, in turn; and beside them what of the difference
// is not the dispatch code's own: an argument more (the tuned kernel has a hidden one), and what the runtime is asked.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void touch(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void without(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void withMore(int *a, int n, unsigned blocks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blocks != 0)
    a[i] = i;
}

/// Few enough to fit into the queue, so that no launch waits for the GPU.
static const int LaunchesOfRound = 256, Rounds = 400;

template <typename Launch> static double nsOfLaunch(Launch launch) {
  cudaDeviceSynchronize();
  auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k != LaunchesOfRound; ++k)
    launch();
  std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / LaunchesOfRound;
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

int main() {
  int n = 256, *a = nullptr;
  if (cudaError_t failed = cudaMalloc(&a, n * sizeof(int))) {
    printf("nothing was timed: %s\n", cudaGetErrorString(failed));
    return 1;
  }
  std::vector<double> dispatched, direct, longer, peeks, devices;
  for (int round = 0; round != Rounds; ++round) {
    direct.push_back(nsOfLaunch([&] { without<<<1, 256>>>(a, n); }));
    dispatched.push_back(nsOfLaunch([&] { touch<<<1, 256>>>(a, n); }));
    longer.push_back(nsOfLaunch([&] { withMore<<<1, 256>>>(a, n, 1); }));
    peeks.push_back(nsOfLaunch([] { cudaPeekAtLastError(); }));
    devices.push_back(nsOfLaunch([] {
      int device;
      cudaGetDevice(&device);
    }));
  }
  double chosen = median(dispatched), plain = median(direct);
  printf("a launch takes %.0f ns, with the choice %.0f ns: %.0f ns more (medians of %d rounds of %d launches)\n",
         plain, chosen, chosen - plain, Rounds, LaunchesOfRound);
  printf("of that, an argument more takes %.0f ns, cudaPeekAtLastError() %.0f; cudaGetDevice(), where the process sees "
         "several devices, %.0f\n",
         median(longer) - plain, median(peeks), median(devices));
  return cudaDeviceSynchronize() != cudaSuccess;
}
