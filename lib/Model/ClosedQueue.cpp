//===- ClosedQueue.cpp - Customers that queue for several servers ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/ClosedQueue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

double closedQueueTime(ArrayRef<double> Demands, double Elsewhere, unsigned Customers) {
  assert(Customers > 0 && "nobody takes no time");
  SmallVector<double> Waiting(Demands.size(), 0);
  double TimeOfOne = 0;
  for (unsigned N = 1; N <= Customers; ++N) {
    double Round = Elsewhere;
    for (auto [Demand, Queue] : zip_equal(Demands, Waiting))
      Round += Demand * (1 + Queue);
    TimeOfOne = Round / N;
    for (auto [Demand, Queue] : zip_equal(Demands, Waiting))
      Queue = TimeOfOne > 0 ? Demand * (1 + Queue) / TimeOfOne : 0;
  }
  return TimeOfOne;
}

} // namespace gpuprune
