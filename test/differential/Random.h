//===- Random.h - Random choices that repeat everywhere ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_RANDOM_H
#define GPUPRUNE_TEST_DIFFERENTIAL_RANDOM_H

#include <cstdint>
#include <initializer_list>

namespace gpuprune::differential {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the standard library's
/// distributions differ between implementations, and a seed has to mean the same
/// kernel on every machine.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}

  uint64_t next() {
    uint64_t Z = (State += 0x9E3779B97F4A7C15u);
    Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9u;
    Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBu;
    return Z ^ (Z >> 31);
  }
  /// 0 ... Count-1; Count is small, so the bias of the remainder does not matter.
  unsigned below(unsigned Count) { return unsigned((next() >> 16) % Count); }
  int between(int Low, int High) { return Low + int(below(unsigned(High - Low + 1))); }
  bool oneIn(unsigned Count) { return below(Count) == 0; }
  template <typename T> T of(std::initializer_list<T> Choices) {
    return Choices.begin()[below(unsigned(Choices.size()))];
  }

private:
  uint64_t State;
};

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_RANDOM_H
