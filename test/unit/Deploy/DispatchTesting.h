//===- DispatchTesting.h - A kernel with tuning records to launch ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHTESTING_H
#define GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHTESTING_H

#include "FakeRuntime.h"
#include "dispatch/Dispatch.h"
#include "gpuprune/Deploy/TuningRecord.h"
#include <deque>

namespace gpuprune::test {

FakeDim3 fakeExtents(const Dim3 &D);

/// A kernel of the author's with the tables that DispatchCode.cpp writes, in the fake runtime.
class DispatchedKernel {
public:
  explicit DispatchedKernel(const std::vector<TuningRecord> &Records);
  DispatchedKernel(const DispatchedKernel &) = delete;
  DispatchedKernel &operator=(const DispatchedKernel &) = delete;

  /// As the author's <<<>>> or cudaLaunchKernelExC does; the error.
  int launch(const AuthorLaunch &Author, void **Arguments, void *Stream = nullptr);
  int launchConfigured(const AuthorLaunch &Author, void **Arguments, unsigned Attributes = 0);
  int setAttribute(int Attribute, int Value);
  /// cudaDeviceReset().
  void resetDevice();

  FakeKernel Original;
  std::deque<FakeKernel> Tuned; ///< In the order of the records, each once.
  uint64_t Counts[GPUPRUNE_COUNTS] = {};

private:
  GpuPruneTuned table(const TuningRecord &R, FakeKernel &Handle);

  std::deque<std::vector<GpuPrunePointer>> Pointers;
  std::deque<std::vector<uint32_t>> Hidden;
  std::vector<GpuPruneTuned> Tables;
  std::deque<GpuPruneState> States;
  GpuPruneListed Listed = {};
  GpuPruneKernel Kernel = {};
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHTESTING_H
