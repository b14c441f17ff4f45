//===- CpuCheck.h - The correctness gate on the CPU -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs code as it goes to the PTX code generator on the CPU at the check sizes of the
// workload. What is right is what the prepared kernel computes at the author's own launch,
// which in turn agrees with stock clang's code. A variant is held against it by two links:
//
//   (a) it equals the prepared kernel with its own defines and block, and
//   (b) that kernel equals the one at the author's launch.
//
// Both are bit by bit but for buffers that the IR says are open (OpenBuffers.h).
// docs/checking.md says what is checked when, and what a verdict is.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_CPUCHECK_H
#define GPUPRUNE_CHECK_CPUCHECK_H

#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "gpuprune/Check/EarlierLaunches.h"
#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>

namespace gpuprune {

struct DirectedRuns;
struct KernelRun;
struct RunVerdict;

/// What is checked on the CPU, and, of what is measured, before it is. The author's launch always is.
enum class CheckMode {
  Staged, ///< What is about to be measured at all sizes; where nothing is, all others at the smallest, too.
  Quick,  ///< All distinct variants at the smallest size.
  All,    ///< All distinct variants at all sizes, however large.
  Off,
};

/// Which sizes a variant is checked at, of those whose grid its launch contract divides.
enum class CheckDepth {
  Smallest, ///< The one with the least work, and the next one that tells (LaunchChoice::Launch::Tells).
  Usual,    ///< All but those with too much work for the CPU; those of Smallest in any case.
  All,
};

/// What a prepared kernel leaves in memory at one size.
struct CpuOutputs {
  struct Buffer {
    uint32_t Index; ///< Among the problem's.
    std::string Name;
    llvm::ArrayRef<uint8_t>
        Bytes; ///< After a run over the first fill pattern; lives as long as the CpuCheck.
  };
  std::string Size; ///< "n=64"
  FloatingPointFreedom Freedom;
  std::vector<Buffer> Buffers; ///< out and inout.
  std::string Failure;         ///< Why there are none.
};

/// The programs that others are compared with. Each is asked for when it is needed first; it has
/// been compiled then, or is null.
struct CheckStandards {
  /// The prepared kernel of the author's choice.
  std::function<const BuiltVariant *()> Author;
  /// Stock clang's code with the defines of a prepared kernel.
  std::function<const BuiltVariant *(const BuiltVariant &Prepared)> Stock;
  /// What runs before; null where nothing does.
  EarlierLaunches *Earlier = nullptr;
};

/// Compiles for the CPU and runs, and keeps what the prepared kernels compute: once for
/// each choice of defines, block and size.
class CpuCheck {
public:
  /// \p W and \p Builder must outlive this, and what \p Standards returns.
  CpuCheck(const Workload &W, const VariantBuilder &Builder, CheckStandards Standards);
  ~CpuCheck();

  using TimePoint = std::chrono::steady_clock::time_point;
  /// The author's launch is begun at sizes before \p Last alone, but for the one with the least work; a size
  /// that comes too late is left out of all checks. No run that others are compared with goes on after
  /// \p AllOver.
  void bound(TimePoint Last, std::optional<TimePoint> AllOver);

  /// Runs the author's launch at the sizes of \p Depth, watching its accesses to memory. An Input
  /// error where the kernel does something wrong there, or changes no buffer: then nothing is known to be
  /// right, and nothing must be launched on a GPU. What the CPU cannot run, or not in time, is no error.
  /// Returns what looks like a mistake in the launch and may be none.
  llvm::Expected<std::vector<std::string>> checkAuthor(CheckDepth Depth);

  /// Checks \p V against \p Reference, the prepared kernel with its defines, and that one against
  /// the author's launch, at the sizes of \p Depth that \p Row has not passed yet, and writes what
  /// came of it into Row: OnCpu always, the status where the variant is wrong, faults or does not come
  /// to an end. What cannot run on the CPU stays as it was and OnCpu.Note says why. Safe
  /// on many threads with different rows.
  void check(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth, VariantResult &Row);

  /// Of \p Reference, a prepared kernel, at the sizes of \p Depth. Safe on many threads.
  std::vector<CpuOutputs> outputsOf(const BuiltVariant &Reference, CheckDepth Depth);

  struct ReferenceRun;

private:
  struct Program;
  struct SameCode;
  const Workload &W;
  const VariantBuilder &Builder;
  CheckStandards Standards;
  std::mutex Lock;                                           ///< Of the maps; what they hold has its own.
  std::map<std::string, std::shared_ptr<Program>> Programs;  ///< Of prepared and stock kernels.
  std::map<std::string, std::shared_ptr<ReferenceRun>> Runs; ///< By text, block and size.
  std::map<std::string, std::shared_ptr<SameCode>> Checked;  ///< By code, launch and reference.
  std::optional<TimePoint> LastBegin, End;                   ///< As bound() was told.
  /// Names of sizes at which the author's launch was begun, and of those that came too late. Known before
  /// variants are checked.
  std::set<std::string> Begun, LeftOut;

  void checkAnew(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth, VariantResult &Row,
                 bool &ByMachine);
  bool hasEarlier() const;
  llvm::Error checkEarlier(const BuiltVariant &Author, const Environment &Size) const;
  std::string unwrittenRead(const BuiltVariant &Author, const Environment &Size) const;
  void findStates(llvm::ArrayRef<Environment> Sizes) const;
  bool comparesNothing(const ReferenceRun &Run) const;
  bool isInTime(const Environment &Size);
  double limited(double Seconds) const;
  llvm::Error checkAuthorAt(const BuiltVariant &Author, const Environment &Size,
                            std::vector<std::string> &Doubts);
  llvm::Error checkAuthorAnew(const BuiltVariant &Author, CheckDepth Depth, std::vector<std::string> &Doubts,
                              bool &ByMachine);
  std::string checkKey(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth);
  void checkCode(const BuiltVariant &V, llvm::StringRef Code, const BuiltVariant &Reference, CheckDepth Depth,
                 VariantResult &Row);
  bool checkChoice(const BuiltVariant &V, const BuiltVariant &Reference, const Environment &Size,
                   VariantResult &Row);
  RunVerdict judgeLaunch(const BuiltVariant &V, Program &Candidate, const BuiltVariant &Reference,
                         ReferenceRun &Wanted, const PhysicalLaunch &Shape);
  bool checkAtSize(const BuiltVariant &V, Program &Candidate, const BuiltVariant &Reference,
                   const Environment &Size, VariantResult &Row);
  std::shared_ptr<Program> programOf(const BuiltVariant &Kernel, bool Watch = false);
  llvm::Expected<HostProblem> hostProblem(const Variant &Choice, const Environment &Size) const;
  std::optional<HostFault> watch(const BuiltVariant &Reference, const HostProblem &Problem);
  std::shared_ptr<ReferenceRun> runOf(const BuiltVariant &Reference, const Variant &Choice,
                                      const Environment &Size);
  const DirectedRuns &directedOf(const BuiltVariant &Reference, ReferenceRun &Run);
  void compareWithStandard(const BuiltVariant &Reference, const Variant &Choice, const Environment &Size,
                           ReferenceRun &Run);
  void compareWithStock(const BuiltVariant &Reference, ReferenceRun &Run);
  RunVerdict compareMeasured(const BuiltVariant &Reference, ReferenceRun &Run, const BuiltVariant &Author,
                             ReferenceRun &Truth);
  const KernelRun &variedOf(const BuiltVariant &Reference, ReferenceRun &Run);
  RunVerdict compareVaried(const BuiltVariant &Reference, ReferenceRun &Run, const BuiltVariant &Author,
                           ReferenceRun &Truth);
  /// Of \p Depth, at which the choice of \p Parts can be launched with \p Contract.
  std::vector<Environment> sizesFor(const Variant &Parts, const VariantKernel &Kernel,
                                    const BuiltVariant &Reference, CheckDepth Depth);
};

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_CPUCHECK_H
