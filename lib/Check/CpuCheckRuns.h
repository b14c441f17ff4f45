//===- CpuCheckRuns.h - What the check on the CPU keeps of its runs -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CHECK_CPUCHECKRUNS_H
#define GPUPRUNE_LIB_CHECK_CPUCHECKRUNS_H

#include "MeasuredTolerance.h"
#include "gpuprune/Check/CpuCheck.h"
#include "gpuprune/Check/HostRuns.h"
#include <atomic>

namespace gpuprune {

/// Seconds of wall-clock time that a kernel may take that others are compared with.
inline constexpr double ReferenceTimeLimit = 300;

/// The same over coarse inputs, where a loop that ends by its values may go on for ever. \p Seconds is what
/// the kernel takes over the workload's.
inline double directedLimit(double Seconds) { return std::max(5.0, 4 * Seconds); }

inline protocol::Comparison toleranceOf(const Workload &W) {
  return {protocol::CompareMode::Tolerance, W.Tolerance.Relative, W.Tolerance.Absolute};
}

struct CpuCheck::Program {
  std::mutex Lock; ///< Of the variables: one run at a time.
  std::unique_ptr<HostProgram> Code;
  std::string Refusal; ///< Why there is no code.

  Program(llvm::StringRef Bitcode, const std::string &Symbol, bool IsStock = false, bool Watch = false);
};

/// A prepared kernel at one launch, and what that is worth.
struct CpuCheck::ReferenceRun : KernelRun {
  std::once_flag Done;
  std::atomic<bool> ByMachine = false; ///< A run of it was endedByMachine().
  std::vector<BufferFreedom> Open;
  /// Against the author's launch, or against stock clang's code where there is nothing else.
  /// Outcome is Skipped where that is not known, or where this is the author's launch itself.
  RunVerdict Standard;
  std::once_flag DirectedDone;
  std::optional<HostProblem> Coarse;
  DirectedRuns Directed; ///< Over Coarse; made when it is asked for first.
  std::once_flag VariedDone;
  KernelRun Varied; ///< withVariedConstants; likewise.
};

/// Notes in a run that the machine has ended part of what was done meanwhile.
class MachineWatch {
public:
  explicit MachineWatch(std::atomic<bool> &Into) : Into(Into) {}
  ~MachineWatch() {
    if (endedByMachine() != Before)
      Into = true;
  }
  MachineWatch(const MachineWatch &) = delete;

private:
  std::atomic<bool> &Into;
  const uint64_t Before = endedByMachine();
};

/// Whoever uses \p Run rests on what the machine has ended.
inline void passOnMachine(const CpuCheck::ReferenceRun &Run) {
  if (Run.ByMachine)
    noteEndedByMachine();
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CHECK_CPUCHECKRUNS_H
