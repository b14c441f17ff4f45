//===- dispatch-cost.cu - What choosing a kernel costs a launch -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built with tuning records of two of four equal kernels (test/benchmark/dispatch-cost), it times launches of
// these, which go through the dispatch code, and of the others, which do not, in turn; and beside them what
// of the difference is not the dispatch code's own: an argument more (one of the tuned kernels has a hidden
// one), what the runtime is asked, and how much longer launches of one untuned kernel take than those of the
// other, which is how far off the figures are.
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

__global__ void plain(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void without(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}

__global__ void twin(int *a, int n) {
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

static double quantile(std::vector<double> values, double share) {
  auto nth = values.begin() + static_cast<size_t>(share * (values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

static double median(const std::vector<double> &values) { return quantile(values, 0.5); }

/// With any argument, one round, which is for GPUPRUNE_TRACE.
int main(int argc, char **) {
  const int rounds = argc > 1 ? 1 : Rounds;
  int n = 256, *a = nullptr;
  if (cudaError_t failed = cudaMalloc(&a, n * sizeof(int))) {
    printf("nothing was timed: %s\n", cudaGetErrorString(failed));
    return 1;
  }
  auto timeDirect = [&] { return nsOfLaunch([&] { without<<<1, 256>>>(a, n); }); };
  auto timeTwin = [&] { return nsOfLaunch([&] { twin<<<1, 256>>>(a, n); }); };
  auto timeDispatched = [&] { return nsOfLaunch([&] { touch<<<1, 256>>>(a, n); }); };
  auto timePlain = [&] { return nsOfLaunch([&] { plain<<<1, 256>>>(a, n); }); };
  auto timeLonger = [&] { return nsOfLaunch([&] { withMore<<<1, 256>>>(a, n, 1); }); };
  timeDispatched();
  timePlain();
  // Rounds are compared with their neighbours, each time in another order: the host's speed changes
  // meanwhile.
  std::vector<double> direct, chosen, chosenPlain, longer, twins, peeks, devices;
  for (int round = 0; round != rounds; ++round) {
    double before = timeDirect(), more, most, same, other;
    if (round % 2 == 0) {
      most = timeDispatched();
      same = timePlain();
      other = timeTwin();
      more = timeLonger();
    } else {
      more = timeLonger();
      other = timeTwin();
      same = timePlain();
      most = timeDispatched();
    }
    double without = (before + timeDirect()) / 2;
    direct.push_back(without);
    chosen.push_back(most - without);
    chosenPlain.push_back(same - without);
    longer.push_back(more - without);
    twins.push_back(other - without);
    peeks.push_back(nsOfLaunch([] { cudaPeekAtLastError(); }));
    devices.push_back(nsOfLaunch([] {
      int device;
      cudaGetDevice(&device);
    }));
  }
  printf("a launch takes %.0f ns, with the choice %.0f ns more (quartiles %.0f to %.0f; %d rounds of %d "
         "launches), and where the tuned kernel has a hidden argument %.0f ns more (%.0f to %.0f)\n",
         median(direct), median(chosenPlain), quantile(chosenPlain, 0.25), quantile(chosenPlain, 0.75), rounds,
         LaunchesOfRound, median(chosen), quantile(chosen, 0.25), quantile(chosen, 0.75));
  printf("of that, an argument more takes %.0f ns, cudaPeekAtLastError() %.0f; cudaGetDevice(), where the "
         "process sees "
         "several devices, %.0f; another kernel, launched without a choice, %.0f\n",
         median(longer), median(peeks), median(devices), median(twins));
  return cudaDeviceSynchronize() != cudaSuccess;
}
