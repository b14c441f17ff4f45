//===- JobRunner.h - Runs jobs and tells their results --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_JOBRUNNER_H
#define GPUPRUNE_RUNTIME_JOBRUNNER_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

class JobRunner {
public:
  virtual ~JobRunner() = default;

  /// Now: a runner is free. Ahead: one still runs a job; where there is none at once, it is asked again soon,
  /// and nothing else goes on until it answers.
  enum class Ask { Now, Ahead };
  using NextJob = llvm::function_ref<std::optional<protocol::Job>(Ask)>;
  using OnResult = llvm::function_ref<void(const protocol::Result &)>;
  /// Runs jobs until \p Next has none for a runner that is free. A job that is begun gets exactly one
  /// result, an error means that the jobs without one have not been measured.
  virtual llvm::Error run(NextJob Next, OnResult Take) = 0;
  llvm::Error run(llvm::ArrayRef<protocol::Job> Jobs, OnResult Take);
};

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_JOBRUNNER_H
