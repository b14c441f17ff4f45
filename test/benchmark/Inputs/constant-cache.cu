//===- constant-cache.cu - What loads of constants cost where they miss -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cuda=$(tools/cuda-toolkit find)
//   clang++-22 -O3 --offload-arch=sm_90 --cuda-path=$cuda -Wno-unknown-cuda-version -o constant-cache
//     test/benchmark/Inputs/constant-cache.cu -L$cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//   ./constant-cache
//
// Blocks of 128 threads, a warp for each partition of an SM, walk through a table in constant memory again
// and again; each block of an SM begins elsewhere. Prints the cycles that a load of a warp takes a partition,
// for strides between two loads, so many loads in a walk and so many blocks on each SM: by ULDC, whose
// address all threads of the block share, and by LDC. What follows from them is in docs/model.md.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static constexpr int Threads = 128, Loads = 8192;

__constant__ float Table[64 * 1024 / sizeof(float) - 256];

/// ptxas makes eight loads or more of one addition to the register, each with an offset of its own.
template <int Stride> __device__ float walk(const float *From, int Length) {
  float Sum = 0;
  for (int Load = 0; Load < Length; Load += 4)
#pragma unroll
    for (int Next = 0; Next < 4; ++Next)
      Sum += From[(Load + Next) * Stride];
  return Sum;
}

/// \p Zero keeps the compiler from seeing that all threads of a block read the same.
template <bool IsUniform, int Stride>
__global__ void walkAgain(int SMs, int Apart, int Length, int Walks, int Zero, long long *Cycles,
                          float *Sums) {
  const float *From = Table + (IsUniform ? 0 : int(threadIdx.x) * Zero);
  int Begin = int(blockIdx.x) / SMs * Apart / 4 * 4;
  long long Before = clock64();
  float Sum = walk<Stride>(From, Begin);
  for (int Walk = 0; Walk < Walks; ++Walk)
    Sum += walk<Stride>(From, Length);
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = clock64() - Before;
  Sums[blockIdx.x * Threads + threadIdx.x] = Sum;
}

static void require(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "constant-cache: %s\n", cudaGetErrorString(Status));
  std::exit(1);
}

namespace {

struct Bench {
  int SMs = 0;
  long long *Cycles = nullptr;
  float *Sums = nullptr;

  template <bool IsUniform, int Stride> double cyclesOfLoad(int Length, int BlocksPerSM) const;
  template <int Stride> void printRow(int Length) const;
};

} // namespace

template <bool IsUniform, int Stride> double Bench::cyclesOfLoad(int Length, int BlocksPerSM) const {
  int Blocks = SMs * BlocksPerSM, Walks = Loads / Length > 4 ? Loads / Length : 4;
  for (int Run = 0; Run != 2; ++Run)
    walkAgain<IsUniform, Stride>
        <<<Blocks, Threads>>>(SMs, Length / BlocksPerSM, Length, Walks, /*Zero=*/0, Cycles, Sums);
  std::vector<long long> Of(Blocks);
  require(cudaMemcpy(Of.data(), Cycles, Blocks * sizeof(long long), cudaMemcpyDeviceToHost));
  double Sum = 0;
  for (long long Each : Of)
    Sum += double(Each);
  return Sum / Blocks / (double(Walks) * Length) / BlocksPerSM;
}

template <int Stride> void Bench::printRow(int Length) const {
  if (Length * Stride * sizeof(float) > sizeof Table)
    return;
  std::printf("%6d %6d", int(Stride * sizeof(float)), Length);
  for (int BlocksPerSM : {1, 2, 4, 8, 16})
    std::printf("   %6.1f %6.1f", cyclesOfLoad<true, Stride>(Length, BlocksPerSM),
                cyclesOfLoad<false, Stride>(Length, BlocksPerSM));
  std::printf("\n");
}

int main() {
  Bench B;
  cudaDeviceProp Device;
  require(cudaGetDeviceProperties(&Device, 0));
  B.SMs = Device.multiProcessorCount;
  require(cudaMalloc(&B.Cycles, 16 * B.SMs * sizeof(long long)));
  require(cudaMalloc(&B.Sums, 16 * B.SMs * Threads * sizeof(float)));
  std::printf("%s; ULDC and LDC with 1, 2, 4, 8 and 16 blocks on each SM\nstride  loads\n", Device.name);
  for (int Length : {16, 24, 32, 40, 48, 64, 128, 256, 512, 1024}) {
    B.printRow<2>(Length);
    B.printRow<4>(Length);
    B.printRow<16>(Length);
    B.printRow<32>(Length);
  }
}
