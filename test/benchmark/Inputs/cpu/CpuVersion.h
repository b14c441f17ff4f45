//===- CpuVersion.h - Data, threads and times of a CPU version -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CPU version computes what kernels/<name>/<name>.cu does, from the data of its workload:
//
//   PROGRAM check THREADS         a small size against plain loops in double
//   PROGRAM time THREADS RUNS     the size of kernels/<name>/ryoo-space.yaml; prints SIZE,MS with the median
//   PROGRAM small THREADS RUNS    the same with the size of check
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_BENCHMARK_CPUVERSION_H
#define GPUPRUNE_TEST_BENCHMARK_CPUVERSION_H

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace cpu {

/// 16 floats: a register of AVX-512, or several where registers are narrower.
constexpr int Lanes = 16;
using Vec = float __attribute__((vector_size(4 * Lanes)));
using IntVec = int32_t __attribute__((vector_size(4 * Lanes)));

inline Vec load(const float *From) {
  Vec V;
  std::memcpy(&V, From, sizeof V);
  return V;
}
inline void store(float *To, Vec V) { std::memcpy(To, &V, sizeof V); }

/// As include/gpuprune/Runtime/Fill.h has it.
inline uint64_t splitMix64(uint64_t Seed, uint64_t Index) {
  uint64_t Z = Seed + (Index + 1) * 0x9E3779B97F4A7C15u;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9u;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBu;
  return Z ^ (Z >> 31);
}

inline std::vector<float> uniform(size_t Count, double Low, double High, uint64_t Seed) {
  std::vector<float> Data(Count);
  for (size_t I = 0; I < Count; ++I) {
    double Offset = (High - Low) * (double(splitMix64(Seed, I) >> 11) * 0x1p-53); // Rounded before the sum.
    Data[I] = float(Low + Offset);
  }
  return Data;
}

/// All values of a byte alike.
inline std::vector<uint8_t> uniformBytes(size_t Count, uint64_t Seed) {
  std::vector<uint8_t> Data(Count);
  for (size_t I = 0; I < Count; ++I)
    Data[I] = uint8_t(splitMix64(Seed, I) >> 56);
  return Data;
}

/// Calls \p Work(0) to \p Work(Parts - 1), shared among \p Threads that wait for each other, \p Runs times.
/// The median time of a run, without starting the threads.
template <typename WorkT> double medianMs(int Threads, int Runs, int64_t Parts, WorkT Work) {
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> Stamps; // Before and after each run.
  std::atomic<int64_t> Next = 0;
  std::barrier Together(Threads, [&]() noexcept {
    Next = 0;
    Stamps.push_back(Clock::now());
  });
  auto Thread = [&] {
    for (int Run = 0; Run < Runs; ++Run) {
      Together.arrive_and_wait();
      for (int64_t Part; (Part = Next++) < Parts;)
        Work(Part);
      Together.arrive_and_wait();
    }
  };
  std::vector<std::thread> Team;
  for (int I = 1; I < Threads; ++I)
    Team.emplace_back(Thread);
  Thread();
  for (std::thread &T : Team)
    T.join();
  std::vector<double> Times;
  for (int Run = 0; Run < Runs; ++Run)
    Times.push_back(std::chrono::duration<double, std::milli>(Stamps[2 * Run + 1] - Stamps[2 * Run]).count());
  std::sort(Times.begin(), Times.end());
  return (Times[(Times.size() - 1) / 2] + Times[Times.size() / 2]) / 2;
}

inline bool isNear(double Got, double Want, double Tolerance) {
  return std::fabs(Got - Want) <= Tolerance * (1 + std::fabs(Want));
}

/// \p ProblemT is made from a size, by default that of the space, and has text(), parts(), compute(Part) and
/// isRight(), which computes the same in another way after each part was computed once.
template <typename ProblemT> int run(int Argc, char **Argv, typename ProblemT::Size Small) {
  std::string What = Argc > 2 ? Argv[1] : "";
  int Threads = Argc > 2 ? std::atoi(Argv[2]) : 0, Runs = Argc > 3 ? std::atoi(Argv[3]) : 1;
  if ((What != "check" && What != "time" && What != "small") || Threads < 1 || Runs < 1) {
    std::fprintf(stderr, "usage: %s check|time|small THREADS [RUNS]\n", Argv[0]);
    return 2;
  }
  ProblemT Problem(What == "time" ? typename ProblemT::Size() : Small);
  auto Compute = [&](int64_t Part) { Problem.compute(Part); };
  if (What != "check") {
    medianMs(Threads, 1, Problem.parts(), Compute); // Pages are there, and clocks are up.
    std::printf("%s,%.6g\n", Problem.text().c_str(), medianMs(Threads, Runs, Problem.parts(), Compute));
    return 0;
  }
  medianMs(Threads, 1, Problem.parts(), Compute);
  if (Problem.isRight())
    return 0;
  std::fprintf(stderr, "%s: wrong results\n", Argv[0]);
  return 1;
}

} // namespace cpu

#endif // GPUPRUNE_TEST_BENCHMARK_CPUVERSION_H
