//===- reference.cpp - Softmax of rows ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
#include <algorithm>
#include <cmath>
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  int64_t Columns = P.size("columns");
  auto In = P.input<float>("in");
  auto Out = P.output<float>("out");
  for (int64_t First = 0; First < P.size("rows") * Columns; First += Columns) {
    double Largest = *std::max_element(In.begin() + First, In.begin() + First + Columns), Sum = 0;
    for (int64_t I = First; I < First + Columns; ++I)
      Sum += std::exp(In[I] - Largest);
    for (int64_t I = First; I < First + Columns; ++I)
      Out[I] = float(std::exp(In[I] - Largest) / Sum);
  }
}

// The sum in float, in the order of a tree.
static const Reference Softmax("softmax", compute, {.Relative = 1e-5, .Absolute = 1e-9});
