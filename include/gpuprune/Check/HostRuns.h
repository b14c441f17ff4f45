//===- HostRuns.h - Runs of a kernel on the CPU that are compared ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel runs twice over a problem: out buffers and shared memory hold other bytes
// each time, and buffers lie against their guard zones once with the end and once with
// the start.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_HOSTRUNS_H
#define GPUPRUNE_CHECK_HOSTRUNS_H

#include "gpuprune/Check/OpenBuffers.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Search/Result.h"
#include "gpuprune/Variant/HostProblem.h"

namespace gpuprune {

/// The kernel \p Symbol of \p Bitcode for the CPU; of stock clang's code contraction is pinned as gpu-prepare
/// pins it.
/// \p Watch: with its accesses to memory.
llvm::Expected<std::unique_ptr<HostProgram>> compileForCpu(llvm::StringRef Bitcode, const std::string &Symbol,
                                                           bool IsStock, bool Watch);

/// How many runs of this thread ended as they did because of the machine, so far: a limit of time was
/// reached, or memory was missing.
uint64_t endedByMachine();
void noteEndedByMachine();

/// A program, what of it runs, and how.
struct HostRunRequest {
  const HostProblem &Problem;
  HostProgram &Code;
  llvm::StringRef Symbol;
  PhysicalLaunch Shape;
  double TimeLimit = 0; ///< Seconds of each run.
  unsigned Workers = 1; ///< Cores; 0: all.
  Rounding Round = Rounding::Nearest;
};

/// The two runs of a program, one after the other.
class PatternRuns {
public:
  explicit PatternRuns(HostRunRequest Request) : Request(std::move(Request)) {}

  /// Run number \p Run, 0 or 1; the buffers hold the outputs then. A fault is fault().
  llvm::Error run(size_t Run);
  const std::optional<HostFault> &fault() const { return Fault; }
  /// Of the buffer at \p Index; nothing of a variable that the program lacks.
  std::optional<llvm::ArrayRef<uint8_t>> bytes(size_t Index) const { return Buffers->bytes(Index); }
  /// An in buffer that the run has changed.
  std::optional<protocol::Mismatch> findChangedInput() const;

private:
  HostRunRequest Request;
  std::optional<HostBuffers> Buffers;
  std::optional<HostFault> Fault;

  llvm::Error runOnce(size_t Run);
};

/// What is known of a kernel after its runs.
struct RunVerdict {
  CheckOutcome Outcome = CheckOutcome::Skipped;
  VariantStatus Status = VariantStatus::Ok;
  std::string Message; ///< Of a status that is not Ok; else why nothing is known.
  /// Where Outcome is Tolerance: which buffer differs by how much, and the instruction it is due to.
  std::string Tolerance;

  /// Takes over the worse of both outcomes.
  void add(const RunVerdict &Other);
};

RunVerdict verdictOf(const HostFault &Fault);
RunVerdict wrongVerdict(protocol::Mismatch M, llvm::StringRef Buffer);

/// What a kernel that others are compared with leaves in memory.
struct KernelRun {
  std::optional<HostProblem> Problem;
  std::vector<ReferenceOutput> Outputs; ///< One a buffer.
  double Seconds = 0;                   ///< Of one run.
  /// Ok where the kernel does nothing wrong as far as it was run; else Message says what it does.
  VariantStatus Status = VariantStatus::Ok;
  std::string Message;
  std::string Note; ///< Why there are no outputs though Status is Ok.

  bool hasOutputs() const { return Status == VariantStatus::Ok && Note.empty(); }
};

/// Runs \p Request, whose problem is \p Into's, and fills in what it leaves. Only buffers that \p Open
/// tells of may differ between both runs, and these by \p Tolerance.
void runReference(const HostRunRequest &Request, llvm::ArrayRef<BufferFreedom> Open,
                  const protocol::Comparison &Tolerance, KernelRun &Into);

/// Runs \p Request, a variant, and compares with \p Wanted, buffer by buffer bit by bit, those that \p Open
/// leaves open between variants by \p Tolerance.
RunVerdict runAndCompare(const HostRunRequest &Request, const KernelRun &Wanted,
                         llvm::ArrayRef<BufferFreedom> Open, const protocol::Comparison &Tolerance);

/// Compares what \p Own has left in \p Buffers with what \p Truth has, both of them with outputs.
RunVerdict compareWithTruth(llvm::ArrayRef<ResolvedBuffer> Buffers, const KernelRun &Own,
                            const KernelRun &Truth, llvm::ArrayRef<BufferFreedom> Open,
                            const protocol::Comparison &Tolerance);

/// At most \p Most blocks spread evenly over \p Grid, by linear index; none: all of them.
std::vector<uint64_t> someBlocks(const Dim3 &Grid, uint64_t Most);

/// Runs \p Request, whose program was made with HostOptions::WatchMemory, at most \p MostBlocks of its
/// blocks, and returns what it does wrong with memory (WatchedLaunch.h). Nothing where it does nothing
/// wrong, or where that cannot be told.
std::optional<HostFault> watchForFaults(const HostRunRequest &Request, uint64_t MostBlocks);

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_HOSTRUNS_H
