//===- WarmUpControl.h - When a program is warm ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first runs carry a cold cache and rising clocks. Warm-up makes single runs
// first, which tell how many of them a sample takes, and then such samples until
// the last ones agree or the cap is reached.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_WARMUPCONTROL_H
#define GPUPRUNE_LIB_RUNTIME_WARMUPCONTROL_H

#include "gpuprune/Runtime/Protocol.h"
#include <optional>

namespace gpuprune {

/// Decides what is timed next; times nothing itself.
class WarmUpControl {
public:
  explicit WarmUpControl(const protocol::Measure &M) : M(M) {}

  /// Runs that the next timing takes together; after the end, that each sample takes.
  uint32_t batch() const { return Batch; }
  /// Notes a timing of batch() runs, \p RunMs milliseconds each.
  void add(double RunMs);
  bool done() const;
  protocol::WarmUp result() const;
  /// The fastest run so far and the last one; 0 before the first.
  double fastestMs() const { return Fastest; }
  double lastMs() const { return Window.empty() ? 0 : Window.back(); }
  /// Whether fastestMs() may be held against a limit: a first run that is short may only be a cold one.
  bool canJudge() const;
  /// The fastest of the last timings of batch() runs each; nothing before the first of as many as fill a
  /// sample.
  std::optional<double> fastestBatchMs() const;
  /// Whether batch() runs take as long as a sample has to, as far as is known.
  bool fillsSample() const;

private:
  const protocol::Measure &M;
  uint32_t Batch = 1, Runs = 0, Timings = 0;
  double TotalMs = 0, Fastest = 0;
  std::vector<double> Window; ///< The last timings of Batch runs each.

  bool agree() const;
  bool atCap() const;
  void chooseBatch(double RunMs);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_WARMUPCONTROL_H
