//===- Checker.h - The correctness gate -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CHECKER_H
#define GPUPRUNE_LIB_RUNTIME_CHECKER_H

#include "CheckedRuns.h"
#include <set>

namespace gpuprune {

/// Runs a candidate and compares what it leaves in memory with what the reference leaves, and that with what
/// the truth leaves, and that with what stock clang's program leaves. Every program runs twice, over out
/// buffers, guard zones and shared memory that hold two different patterns.
///
/// What was found of a pair of programs is kept by content, so that a later job proves it by looking it up.
class Checker {
public:
  /// \p HostBudget bytes of reference outputs are kept on the host.
  Checker(const Gpu &G, ModuleCache &Modules, const DeviceKernels &Kernels, uint64_t HostBudget);

  /// When in buffers are looked at behind a candidate that was right.
  enum class InputLook : uint8_t {
    Now,
    AfterTiming, ///< By checkAgain() or BufferSet::checkInputs(), which the caller promises.
  };
  /// Error: the candidate's own failure, or status reference.
  llvm::Expected<protocol::ProblemCheck> check(const protocol::Problem &P,
                                               const protocol::Comparison &Compare, const BufferSet &Buffers,
                                               const LoadedProgram &Candidate, InputLook Look);
  /// Milliseconds of the candidate's runs in the last check(); none where a run has several kernels, between
  /// which the check does something of its own.
  llvm::ArrayRef<double> runsMs() const { return RunsMs; }

  /// Runs a candidate that was right once more: what it does wrong then, after many runs. Kind Input or
  /// Elsewhere: so may another have done that ran since the check.
  llvm::Expected<std::optional<protocol::Mismatch>> checkAgain(const protocol::Problem &P,
                                                               const protocol::Comparison &Compare,
                                                               const BufferSet &Buffers,
                                                               const LoadedProgram &Candidate);
  /// What is kept of the program that a candidate is compared with, intact; null where there is none.
  llvm::Expected<std::shared_ptr<ReferenceSet>>
  kept(const protocol::Problem &P, const protocol::Comparison &Compare, const BufferSet &Buffers);

  ReferenceStore &references() { return References; }

private:
  /// How a buffer is compared, and why it may differ where it is open.
  struct Rule {
    protocol::Comparison Compare;
    llvm::StringRef Reason;
  };
  /// What all parts of one check know.
  struct Context {
    const protocol::Problem &P;
    const protocol::Comparison &Compare;
    const BufferSet &Buffers;
    std::string Setting;             ///< As the references' keys have it.
    InputLook Look = InputLook::Now; ///< Of the candidate.

    Context(const protocol::Problem &P, const protocol::Comparison &Compare, const BufferSet &Buffers,
            InputLook Look = InputLook::Now)
        : P(P), Compare(Compare), Buffers(Buffers), Setting(ReferenceStore::settingOf(P, Compare)),
          Look(Look) {}
    std::vector<Rule> rules(protocol::CheckLink Link) const;
    /// Every buffer by tolerance.
    std::vector<Rule> tolerance() const;
  };
  /// A program that another is compared with.
  struct Source {
    llvm::StringRef Who;
    LoadedProgram Program;
    std::string Key;
  };
  /// What a comparison of two programs came to.
  struct CheckResult {
    CheckOutcome Outcome = CheckOutcome::Skipped;
    std::optional<protocol::Mismatch> Detail = {};
    std::optional<protocol::Tolerated> Apart = {};

    void fail(protocol::Mismatch M, llvm::StringRef Buffer);
    /// Takes in how one buffer compared; false where it is wrong.
    bool add(const OutputVerdict &Done, llvm::StringRef Buffer, const Rule &By);
  };

  llvm::Expected<Source> load(const Context &C, const protocol::Program &P, llvm::StringRef Who);
  /// What the candidate is compared with: the reference or, where there is none, stock.
  llvm::Expected<Source> loadReference(const Context &C);
  llvm::Expected<std::shared_ptr<ReferenceSet>> leftBy(const Context &C, const Source &S, bool MustBeIntact);
  llvm::Error requireStable(const Context &C, const Source &S, const ReferenceSet &Set,
                            llvm::ArrayRef<Rule> Rules) const;
  llvm::Expected<std::shared_ptr<ReferenceSet>> soundlyLeftBy(const Context &C, const Source &S,
                                                              llvm::ArrayRef<Rule> Rules, bool MustBeIntact);
  llvm::Error checkAgainstStock(const Context &C, const Source &Author);
  llvm::Expected<CheckResult> compareRunsWithTruth(const Context &C, const ReferenceSet &Truth,
                                                   const Source &Reference, llvm::ArrayRef<Rule> Rules);
  llvm::Expected<CheckResult> checkLaunch(const Context &C, const Source &Truth, const Source &Reference);
  llvm::Expected<CheckResult> proveReference(const Context &C, const Source &Reference);
  llvm::Expected<CheckResult> checkVariant(const Context &C, const Source &Reference,
                                           const LoadedProgram &Candidate);
  llvm::Expected<CheckResult> compareOnce(const Context &C, const Source &Reference,
                                          const LoadedProgram &Candidate, size_t Runs, bool MustBeIntact,
                                          bool &IsSure);
  /// \p Set is null where only guards and inputs can be checked.
  llvm::Expected<CheckResult> runAndCompare(const Context &C, const LoadedProgram &Program,
                                            const ReferenceSet *Set, llvm::ArrayRef<Rule> Rules,
                                            size_t Runs = FillPatterns.size(),
                                            InputLook Look = InputLook::Now);
  llvm::Expected<CheckedRuns::Left> runTimed(CheckedRuns &Runs, const LoadedProgram &Program, size_t Run);
  static bool saysWhere(const CheckResult &V);
  static CheckResult elsewhere();
  static llvm::Expected<CheckResult> compareLaunches(const Context &C, const ReferenceSet &Truth,
                                                     const ReferenceSet &Reference,
                                                     llvm::ArrayRef<Rule> Rules);

  const Gpu &Owner;
  ModuleCache &Modules;
  const DeviceKernels &Kernels;
  ReferenceStore References;
  std::unique_ptr<EventPair> Around; ///< A candidate's kernel; made when first needed.
  std::vector<double> RunsMs;
  std::set<std::string> AgreeWithStock;
  llvm::StringMap<CheckResult> Launches;
};

/// \p E said of the reference, stock or baseline: its failure tells nothing of the candidate.
llvm::Error blameReference(llvm::Error E, llvm::StringRef Who);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CHECKER_H
