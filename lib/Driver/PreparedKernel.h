//===- PreparedKernel.h - A kernel that is prepared beside others ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_PREPAREDKERNEL_H
#define GPUPRUNE_LIB_DRIVER_PREPAREDKERNEL_H

#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/thread.h"
#include <functional>
#include <future>

namespace gpuprune {

/// A kernel that is prepared by a thread of its own.
class PreparedKernel {
public:
  /// With what that is to be done; nothing where there is no time left for it.
  using Ask = std::function<std::optional<TuneOptions>()>;
  /// \p Tuning is asked once \p Before is over, if there is something before. \p Behind: while another kernel
  /// is measured, which nothing should disturb.
  PreparedKernel(Ask Tuning, std::shared_future<void> Before, const Progress &Like, bool Behind);
  ~PreparedKernel() { wait(); }

  std::shared_future<void> over() const { return Over; }
  /// Shows from now on how far it is, and waits until it is ready; whether there was time for it.
  bool await();
  bool isReady() const { return Over.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  /// The tuner, once there was time for it.
  Tuner &tuner() { return *Run; }
  /// Once it is, for so many seconds, if there is a bound.
  llvm::Expected<TuneReport> measure(std::optional<double> MostSeconds);
  /// That preparing took.
  double seconds() const { return Seconds; }

private:
  Progress Shown;
  std::optional<Tuner> Run; ///< Nothing where there was no time.
  std::optional<TakenError> Failure;
  double Seconds = 0;
  std::promise<void> IsOver;
  std::shared_future<void> Over = IsOver.get_future();
  llvm::thread Preparing;

  void prepare(const Ask &Tuning, bool Behind);
  void wait();
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_PREPAREDKERNEL_H
