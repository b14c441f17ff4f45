//===- ClosedQueue.h - Customers that queue for several servers ---*- C++ -*-===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mean value analysis of a closed network of queues (Reiser and Lavenberg, Mean-Value Analysis of Closed
// Multichain Queuing Networks, J. ACM 27(2), 1980, for one chain). With n customers of N, demands D(k) on
// servers k and the time Z that a customer spends elsewhere:
//
//   R(k, n) = D(k) (1 + Q(k, n - 1))      time at server k, of which Q customers are in the way
//   X(n)    = n / (Z + sum of R(k, n))    throughput
//   Q(k, n) = X(n) R(k, n)                customers at server k, Q(k, 0) = 0
//
// The time of one customer is Z and all of its demands; that of many nears the largest demand. Of two equal
// demands it is (N + 1) / N of one.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_CLOSEDQUEUE_H
#define GPUPRUNE_MODEL_CLOSEDQUEUE_H

#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// The time that one of \p Customers (at least one) takes in the mean, 1 / X(Customers). \p Demands and \p
/// Elsewhere, Z, are not negative, in any unit.
double closedQueueTime(llvm::ArrayRef<double> Demands, double Elsewhere, unsigned Customers);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_CLOSEDQUEUE_H
