//===- JobExecutor.h - From a job to its result ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H
#define GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H

#include "Checker.h"
#include "Measurement.h"
#include <functional>

namespace gpuprune {

class JobExecutor {
public:
  /// \p CacheBytes bounds what is kept on the host of references that the device has no room for.
  /// \p Clock may be null.
  JobExecutor(Gpu &G, const DeviceKernels &Kernels, llvm::StringRef BaseDirectory, uint64_t CacheBytes,
              ClockReader *Clock);

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
  llvm::Expected<Prepared> prepare(const protocol::Problem &P, const protocol::Program &Run,
                                   uint32_t Copy = 0);
  llvm::Expected<Prepared> prepareOver(llvm::Expected<BufferSet> Set, const protocol::Program &Run);
  llvm::Error runProblem(const protocol::Job &J, const protocol::Problem &P, protocol::Result &R);
  llvm::Expected<bool> checkRival(const protocol::Job &J, const protocol::Rival &Rival, protocol::Result &R);
  llvm::Expected<Contestant> contestant(const protocol::Job &J, const protocol::Problem &P,
                                        const protocol::Program &Run, Part As, llvm::StringRef Name);
  /// The programs of \p J's rounds, of which each is made where it is called.
  using MakeContestant = std::function<llvm::Expected<Contestant>()>;
  std::vector<MakeContestant> contestants(const protocol::Job &J);
  llvm::Error runMeasure(const protocol::Job &J, protocol::Result &R);
  llvm::Error checkAfterTiming(const protocol::Job &J, std::vector<Contestant> Timed, protocol::Result &R);
  /// What one of \p Timed did to what is not its own.
  llvm::Expected<std::optional<protocol::Mismatch>>
  checkOutputsAgain(const protocol::Job &J, llvm::ArrayRef<Contestant> Timed, protocol::Result &R);
  llvm::Expected<std::optional<protocol::Mismatch>>
  findSpoiled(const protocol::Job &J, llvm::ArrayRef<Contestant> Timed, protocol::Result &R);
  llvm::Error findSpoiler(const protocol::Job &J, std::vector<Contestant> Timed, protocol::Mismatch Spoiled,
                          protocol::Result &R);
  llvm::Expected<bool> spoilsAlone(const protocol::Job &J, const MakeContestant &Make, uint64_t Runs);
  /// What the job's programs wrote, and where, is not known: nothing of the device is used again.
  void startAfresh();
  void fail(llvm::Error E, protocol::Result &R);
  llvm::Error timeContestants(const protocol::Job &J, llvm::MutableArrayRef<Contestant> All,
                              protocol::Result &R);
  void noteBaseline(const protocol::Job &J, const Contestant &Baseline, const protocol::Result &R);

  const Gpu &Owner;
  ModuleCache Modules;
  BufferPool Buffers;
  Checker Check;
  ClockReader *Clock;
  struct TimedBaseline {
    uint32_t Batch = 1;
    double Ms = 0;
    double NextAtMs = 0; ///< Of TimedMs, when another sample is due.
  };
  llvm::StringMap<TimedBaseline> Baselines; ///< By what they run and how.
  double TimedMs = 0;                       ///< What all timing so far took on the GPU.
  std::vector<double> CheckedMs; ///< Of the problem that is timed, the candidate's runs in its check.
  bool ContextLost = false;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_JOBEXECUTOR_H
