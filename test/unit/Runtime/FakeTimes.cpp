//===- FakeTimes.cpp - How long kernels of the fake driver take -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeKernels.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace gpuprune::fake {

double milliseconds(const Kernel &K) {
  static std::map<std::string, size_t> Runs;
  const char *Text = std::getenv("FAKE_CUDA_TIMES");
  for (std::string Rest = Text ? Text : ""; !Rest.empty();) {
    std::string Rule = Rest.substr(0, Rest.find(','));
    Rest.erase(0, Rule.size() + 1);
    size_t Equals = Rule.find('=');
    if (Equals == std::string::npos || Rule.substr(0, Equals) != K.Name)
      continue;
    std::vector<double> Times;
    bool Again = false;
    for (std::string List = Rule.substr(Equals + 1); !List.empty();) {
      std::string One = List.substr(0, List.find(';'));
      List.erase(0, One.size() + 1);
      if (One == "*")
        Again = true;
      else
        Times.push_back(std::atof(One.c_str()));
    }
    size_t Run = Runs[K.Name]++;
    return Times[Again ? Run % Times.size() : std::min(Run, Times.size() - 1)];
  }
  return K.Milliseconds;
}

double blockMilliseconds(const Kernel &K) {
  const char *Text = std::getenv("FAKE_CUDA_BLOCK_MS");
  for (std::string Rest = Text ? Text : ""; !Rest.empty();) {
    std::string Rule = Rest.substr(0, Rest.find(','));
    Rest.erase(0, Rule.size() + 1);
    size_t Equals = Rule.find('=');
    if (Equals != std::string::npos && Rule.substr(0, Equals) == K.Name)
      return std::atof(Rule.c_str() + Equals + 1);
  }
  return 0;
}

} // namespace gpuprune::fake
