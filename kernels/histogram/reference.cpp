//===- reference.cpp - How often each byte occurs -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Reference.h"
using namespace gpuprune::kernels;

static void compute(Problem &P) {
  auto Data = P.input<uint8_t>("data");
  auto Counts = P.output<uint32_t>("counts");
  for (uint8_t Value : Data)
    ++Counts[Value];
}

static const Reference Histogram("histogram", compute, {});
