//===- JobExecutor.h - From a job to its result ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H
#define GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H

#include "Checker.h"

namespace gpuprune {

class JobExecutor {
public:
  /// \p CacheBytes bounds each of the two host caches: inputs and reference outputs.
  JobExecutor(const Gpu &G, llvm::StringRef BaseDirectory, uint64_t CacheBytes);

  /// Always a result; one of a status other than ok says why in its message.
  protocol::Result execute(const protocol::Job &J);
  /// After a fault: no later job can succeed in this process.
  bool contextLost() const { return ContextLost; }

private:
  llvm::Error run(const protocol::Job &J, protocol::Result &R);
  /// The buffers of a problem and its candidate, ready to launch.
  struct Prepared {
    BufferSet Buffers;
    LoadedProgram Candidate;
  };
  llvm::Expected<Prepared> prepare(const protocol::Problem &P);
  llvm::Error runProblem(const protocol::Job &J, const protocol::Problem &P, protocol::Result &R);
  llvm::Error runMeasure(const protocol::Job &J, protocol::Result &R);
  void fail(llvm::Error E, const protocol::Job &J, protocol::Result &R);

  const Gpu &Owner;
  ModuleCache Modules;
  BufferPool Buffers;
  Checker Check;
  bool ContextLost = false;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H
