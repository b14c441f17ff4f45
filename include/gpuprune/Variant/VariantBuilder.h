//===- VariantBuilder.h - From a variant's text to its code and metrics -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_VARIANTBUILDER_H
#define GPUPRUNE_VARIANT_VARIANTBUILDER_H

#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/FrontendInputs.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/HostExecution/BlockCounts.h"
#include "gpuprune/Search/Result.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/FrontendBundle.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <mutex>

namespace gpuprune {

class KeptBuilds;

/// One variant on its way: its row in the report, and its code.
struct BuiltVariant {
  VariantResult Row;
  size_t Index = 0;   ///< Of the row in the report.
  bool Stock = false; ///< The source as written by stock clang.
  std::string Ptx;
  std::string Symbol; ///< Of the kernel in Ptx.
  /// What became Ptx, to be run on the CPU; only where the builder keeps it.
  llvm::SmallString<0> FinalBitcode;
  VariantKernel Kernel;
  std::optional<AssembledKernel> Code;
  /// The same for the same machine code, whatever file and symbol it is in: a hash of
  /// the PTX, and what assembled it. Empty where ptxas does not tell its version.
  std::string CodeIdentity;
  /// The same where the same was compiled, by whatever run; empty where nothing is kept.
  std::string CodeKey;
  std::optional<ErrorKind> FailedAs; ///< Of the step that went wrong.

  explicit BuiltVariant(Variant V, bool Stock = false);
  const Variant &parts() const { return Row.Parts; }
  /// Whether nothing has gone wrong so far.
  bool alive() const { return Row.Status == VariantStatus::Ok; }
  /// Writes status and message of a failed step into the row.
  void fail(llvm::Error E);
  void fail(TakenError Taken);
  /// The same where the workload's launch cannot be made with the variant's defines and block.
  void failLaunch(llvm::Error E);
};

/// What ptxas made of some PTX: code, or why there is none.
struct Assembled {
  std::optional<AssembledKernel> Code;
  std::optional<TakenError> Failure;
};

std::vector<Variant> partsOf(llvm::ArrayRef<BuiltVariant> Built);

/// What a recorded launch left in a buffer of the program.
struct RecordedContents {
  std::string Buffer;        ///< Its name in the workload.
  std::string Before, After; ///< contentHash of what it held.
};

/// What is compiled, for what, and with what.
struct TuningTarget {
  Workload W;
  const DeviceInfo *Device = nullptr;
  Toolchain Tools;                                       ///< Without clang++ where there is a bundle.
  std::optional<FrontendBundle> Frontend = std::nullopt; ///< Where the front end has run already.
  std::vector<std::string> Flags = {};         ///< The workload's, as clang++ has to be given them here.
  std::string WorkloadText = {};               ///< What W was read from; empty where it cannot be read again.
  std::vector<RecordedContents> Recorded = {}; ///< Of a recording.
  bool IsRecorded = false;                     ///< A launch of a program that ran, with its data.
  std::string CodePath = {};                   ///< Then the bitcode of its kernel, as it was built.
};

/// What is launched in place of a recorded launch.
struct RecordedPart {
  std::optional<Dim3> Grid; ///< Of its blocks only these.
  /// Its loops over the grid end sooner: the integer argument of that number, from 0, has this value.
  std::optional<std::pair<unsigned, uint64_t>> LoopEnd;
  bool isAll() const { return !Grid && !LoopEnd; }
};

/// Reads the workload, or the front-end bundle, and finds device and tools. An empty
/// \p Device is sm_90 or the bundle's. Of several launches, the one with the number \p Launch, which counts
/// from 1, is the target; 0: there is only one. Usage error for another device than the bundle's, and for a
/// number that is not there, or missing. \p Part is for recordings.
llvm::Expected<TuningTarget> loadTarget(llvm::StringRef WorkloadPath, llvm::StringRef Device,
                                        unsigned Launch = 0, const RecordedPart &Part = {});
/// How many launches the sequence of the workload, or the bundle, has; 0: it is a launch and no sequence.
llvm::Expected<size_t> launchesOfSequence(llvm::StringRef WorkloadPath);

/// What the steps from text to code have in common: the workload with its front
/// end's output, the tools, the device. Outlived by the target.
class VariantBuilder {
public:
  explicit VariantBuilder(const TuningTarget &Target)
      : W(Target.W), Flags(Target.Flags), Tools(Target.Tools), Device(*Target.Device),
        Bundle(Target.Frontend), WorkloadText(Target.WorkloadText) {}

  /// What is built from now on is taken from \p From where that has it, and kept there; null: neither.
  void keepIn(KeptBuilds *From) { Kept = From; }
  KeptBuilds *kept() const { return Kept; }
  /// Of the workload without its space, which decides on no variant's result.
  const std::string &problemIdentity() const;

  /// Compiles the source for every choice of defines among \p Variants, on \p
  /// Jobs threads, or takes them from the bundle. A choice that clang rejects is
  /// the failure of its variants; an error where it rejects all, or where the
  /// bundle lacks one.
  llvm::Error runFrontends(llvm::ArrayRef<BuiltVariant> Variants, unsigned Jobs);

  /// What clang++ warned of and was not taken before: each once, however many choices of defines it
  /// concerns.
  std::vector<std::string> takeWarnings();

  /// The loops of the kernel with the author's defines; where the workload has no space, also what one can be
  /// derived from.
  llvm::Expected<VariantKernel> inspect();

  /// What the kernel is to other blocks, with each choice of defines that can be compiled. Empty where
  /// the launch follows no block, or where there are too many choices (BlockDimensions.h).
  std::vector<ShapesOfDefines> blockShapes();

  /// Whether variants that are compiled from now on keep their FinalBitcode.
  void keepFinalBitcode(bool Keep) { KeepsFinalBitcode = Keep; }

  /// Whether variants that are compiled from now on have VariantRequest::LimitsCode.
  void limitCode(bool Limit) { LimitsCode = Limit; }

  /// Passes, -O3, PTX, counts. Safe on many threads.
  void compile(BuiltVariant &V, CompileReuse *Known = nullptr) const;

  /// Makes cubins of \p Batch in one run of ptxas and fills in resources,
  /// occupancy and metrics. Safe on many threads, \p CubinPath differing. Their symbols there have \p
  /// Numbers, or, where there are none, those of their places.
  void assembleBatch(llvm::ArrayRef<BuiltVariant *> Batch, const std::string &CubinPath,
                     llvm::ArrayRef<size_t> Numbers = {}) const;
  /// The same for \p V from what ptxas has made of equal PTX.
  void takeAssembled(BuiltVariant &V, const Assembled &Known) const;

  /// What of the file is compiled: all of it, or what makes the same machine code of the kernel, where that
  /// is less (KernelAlone.h).
  enum class Scope { File, Kernel };
  /// The request that compiles \p V; its bitcode stays the builder's.
  llvm::Expected<VariantRequest> requestFor(const BuiltVariant &V, Scope Compiled = Scope::Kernel) const;

  /// Of ptxas, asked once; see Assembler.h.
  const std::string &assembler() const;

  /// "-DTILE=16", every define with its value, as a variant's text begins.
  std::string definesText(const Variant &V) const;
  DefineValues definesOf(const Variant &V) const;
  /// How the defines and the block of \p V relate to the author's launch. Safe on many threads; the
  /// reference stays valid as long as the builder.
  const LaunchChoice &choiceOf(const Variant &V) const;
  /// The workload's size `tune` with the defines and the block of \p V. Input error that says the
  /// size, the key and the values where it cannot be launched so.
  llvm::Expected<ResolvedProblem> tuneProblem(const Variant &V) const;
  const std::string &passKernel() const { return PassKernel; }
  const DeviceInfo &device() const { return Device; }
  /// "+ptx88", as clang++ chose it.
  const std::string &features() const { return Features; }
  /// Of all choices of defines that the front end has run for.
  const FrontendOutputs &frontends() const { return Frontends; }

private:
  const Workload &W;
  const std::vector<std::string> &Flags;
  const Toolchain &Tools;
  const DeviceInfo &Device;
  const std::optional<FrontendBundle> &Bundle;
  const std::string &WorkloadText;
  KeptBuilds *Kept = nullptr;
  FrontendOutputs Frontends;
  llvm::StringSet<> Warned; ///< By takeWarnings().
  std::string PassKernel, Features;
  bool KeepsFinalBitcode = false, LimitsCode = false;
  mutable CountCache Counted;
  mutable std::mutex ChoicesLock;
  mutable std::map<std::string, LaunchChoice> Choices; ///< By defines and block.
  mutable std::once_flag AssemblerAsked;
  mutable std::string Assembler;
  mutable std::once_flag CommandAsked;
  mutable std::optional<FrontendCommand> Command; ///< Of clang++; nothing where it does not tell.
  mutable std::once_flag ProblemAsked;
  mutable std::string Problem;
  mutable std::mutex CubinsLock;
  mutable llvm::StringSet<> KeptCubins; ///< Files of this run's that hold kept cubins, or are kept.

  FrontendOutput runFrontend(const Variant &V) const;
  FrontendOutput compileSource(const Variant &V) const;
  std::optional<TakenError> compileRequest(const VariantRequest &Request, BuiltVariant &V,
                                           CompileReuse *Known = nullptr) const;
  std::string codeKey(const VariantRequest &Request, const BuiltVariant &V) const;
  std::string assemblyKey(const BuiltVariant &V) const;
  bool takeAssembly(BuiltVariant &V, llvm::StringRef Folder) const;
  void keepAssembly(const BuiltVariant &V) const;
  llvm::Error takeFromBundle(const std::string &Defines);
  llvm::Error findKernel();
  FrontendOutput checked(FrontendOutput Output) const;
  llvm::Error takeApartAnew(FrontendOutput &Output) const;
  llvm::Error checkKernel(const DeviceDescription &Found) const;
  std::vector<std::string> uncheckedOutputs(const DeviceDescription &Found) const;
  llvm::Error takeApart(FrontendOutput &Output) const;
  void describeKernel(const DeviceDescription &Found);
  BlockCounter counterOf(const Variant &V) const;
  llvm::Error compileOrFail(BuiltVariant &V, CompileReuse *Known) const;
  void describeCode(BuiltVariant &V) const;
  void fillMetrics(BuiltVariant &V) const;
};

/// What the workload writes down, else what \p Kernel, which inspect() has seen, suggests.
/// It asks \p W again, which has to outlive it.
llvm::Expected<Space> spaceFor(const Workload &W, const VariantKernel &Kernel);

/// What passes are told of the launch of \p Problem.
OfferContext offerContext(const ResolvedProblem &Problem);

/// The scalars of \p Launch by argument index, for counting.
std::vector<std::optional<int64_t>> integerScalars(const ResolvedLaunch &Launch);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_VARIANTBUILDER_H
