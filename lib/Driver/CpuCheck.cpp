//===- CpuCheck.cpp - The correctness gate on the CPU ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/CpuCheck.h"
#include "gpuprune/Driver/HostProblem.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Runtime/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

/// Instructions of all threads of a launch, about, beyond which a size is too large
/// to be run on the CPU unless all sizes are asked for.
static constexpr double MostInstructions = 2e9;
/// Seconds of wall-clock time. A variant that takes so many times the reference's and
/// this long is a run-away; the machine may be loaded.
static constexpr double ReferenceTimeLimit = 300, VariantTimeLimit = 60, MostTimesReference = 50;

struct CpuCheck::Program {
  std::mutex Lock; ///< Of the variables: one run at a time.
  std::unique_ptr<HostProgram> Code;
  FloatingPointFreedom Freedom;
  std::string Refusal; ///< Why there is no code.

  Program(StringRef Bitcode, const std::string &Symbol);
};

/// All variants that are the same on the CPU.
struct CpuCheck::SameCode {
  std::mutex Lock;
  VariantResult Row; ///< Status, message and OnCpu of each.
};

struct CpuCheck::ReferenceRun {
  std::once_flag Done;
  std::optional<HostProblem> Problem;
  std::vector<ReferenceOutput> Outputs;
  double Seconds = 0;
  std::string Failure; ///< Why there are no outputs.

  Error run(Program &P, const BuiltVariant &Reference);
};

CpuCheck::CpuCheck(const Workload &W, const VariantBuilder &Builder) : W(W), Builder(Builder) {}
CpuCheck::~CpuCheck() = default;

static Expected<std::unique_ptr<HostProgram>> compileForCpu(StringRef Bitcode, const std::string &Symbol,
                                                            FloatingPointFreedom &Freedom) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return M.takeError();
  Freedom = floatingPointFreedom(**M);
  HostOptions Options;
  Options.Kernels = {Symbol};
  return HostProgram::create(**M, Options);
}

/// The code of \p V without what only ptxas looks at: variants that differ in their
/// register caps alone have the same.
static std::string codeForCpu(const BuiltVariant &V) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(V.FinalBitcode, "device bitcode"), Context);
  if (!M) {
    consumeError(M.takeError()); // Said when it is compiled.
    return V.FinalBitcode.str().str();
  }
  for (Function &F : **M)
    for (StringRef Attribute : {"nvvm.maxnreg", "nvvm.minctasm"})
      F.removeFnAttr(Attribute);
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(**M, OS);
  return Bitcode;
}

CpuCheck::Program::Program(StringRef Bitcode, const std::string &Symbol) {
  Expected<std::unique_ptr<HostProgram>> Made = compileForCpu(Bitcode, Symbol, Freedom);
  if (Made)
    Code = std::move(*Made);
  else
    Refusal = toString(Made.takeError());
}

namespace {

/// Both runs of a program over a problem: one a fill pattern, and the buffers
/// against their guard zones once with the end and once with the start.
class PatternRuns {
public:
  PatternRuns(const HostProblem &Problem, HostProgram &Code, StringRef Symbol, LaunchShape Shape,
              double TimeLimit, unsigned Workers)
      : Problem(Problem), Code(Code), Symbol(Symbol), Shape(std::move(Shape)), TimeLimit(TimeLimit),
        Workers(Workers) {}

  /// Runs once; the buffers hold the outputs then. A fault is fault().
  Error run(size_t Run);
  const std::optional<HostFault> &fault() const { return Fault; }
  /// Of the buffer at \p Index; nothing of a variable that the program lacks.
  std::optional<ArrayRef<uint8_t>> bytes(size_t Index) const { return Buffers->bytes(Index); }
  /// An in buffer that the run has changed.
  std::optional<protocol::Mismatch> findChangedInput() const;

private:
  const HostProblem &Problem;
  HostProgram &Code;
  StringRef Symbol;
  LaunchShape Shape;
  double TimeLimit;
  unsigned Workers;
  std::optional<HostBuffers> Buffers;
  std::optional<HostFault> Fault;
};

} // namespace

Error PatternRuns::run(size_t Run) {
  Buffers.reset();
  Expected<HostBuffers> Made =
      HostBuffers::create(Problem, Code, FillPatterns[Run], Run ? GuardSide::Start : GuardSide::End);
  if (!Made)
    return Made.takeError();
  Buffers.emplace(std::move(*Made));
  HostLaunch Launch = Buffers->launch(Problem, Shape);
  Launch.Kernel = Symbol.str();
  Launch.TimeLimit = TimeLimit;
  Launch.Workers = Workers;
  Expected<LaunchReport> Report = Code.launch(Launch);
  if (!Report)
    return Report.takeError();
  Fault = std::move(Report->Fault);
  return Error::success();
}

std::optional<protocol::Mismatch> PatternRuns::findChangedInput() const {
  for (const auto &[Index, Shape] : enumerate(Problem.buffers())) {
    std::optional<ArrayRef<uint8_t>> Now = bytes(Index);
    if (Shape.Role != BufferRole::In || !Now)
      continue;
    const std::vector<uint8_t> &Before = Problem.contents()[Index];
    OutputComparer Comparer(Shape.Type, {}, Before, {}, FillPatterns[0]);
    Comparer.feed(Now->take_front(Before.size()));
    if (Comparer.outcome() != CheckOutcome::Wrong)
      continue;
    protocol::Mismatch Changed = Comparer.mismatch();
    Changed.Kind = protocol::MismatchKind::Input;
    Changed.Buffer = Shape.Name;
    return Changed;
  }
  return std::nullopt;
}

static double secondsSince(std::chrono::steady_clock::time_point Begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
}

Error CpuCheck::ReferenceRun::run(Program &P, const BuiltVariant &Reference) {
  std::lock_guard<std::mutex> Guard(P.Lock);
  // On all cores: the variants of these defines wait for it.
  PatternRuns Both(*Problem, *P.Code, Reference.Symbol, authorShape(Problem->launch()), ReferenceTimeLimit,
                   /*Workers=*/0);
  std::vector<std::vector<uint8_t>> Found[2];
  auto Begin = std::chrono::steady_clock::now();
  for (size_t Run = 0; Run != 2; ++Run) {
    if (Error E = Both.run(Run))
      return E;
    if (Both.fault())
      return makeError(ErrorKind::Runner, Both.fault()->Message);
    if (std::optional<protocol::Mismatch> Changed = Both.findChangedInput())
      return makeError(ErrorKind::Runner,
                       describe(*Changed) + "; declare the buffer inout or out if it is written");
    for (size_t I = 0; I != Problem->buffers().size(); ++I)
      Found[Run].push_back(Both.bytes(I).value_or(ArrayRef<uint8_t>()).vec());
  }
  Seconds = secondsSince(Begin) / 2;
  for (const auto &[Shape, First, Second] : zip_equal(Problem->buffers(), Found[0], Found[1])) {
    std::optional<uint64_t> Unstable;
    Outputs.push_back(joinReferenceRuns(Shape.Type, std::move(First), Second, Unstable));
    if (Unstable && Shape.Role != BufferRole::In && !P.Freedom.BetweenVariants)
      return makeError(ErrorKind::Runner, formatv("buffer {0}, element {1} differs between two runs over "
                                                  "different initial contents; declare the buffer inout "
                                                  "if the kernel reads it",
                                                  Shape.Name, *Unstable));
  }
  return Error::success();
}

std::shared_ptr<CpuCheck::Program> CpuCheck::programOf(const BuiltVariant &Reference) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::shared_ptr<Program> &Known = Programs[Reference.Row.Variant];
  if (!Known)
    Known = std::make_shared<Program>(Reference.FinalBitcode, Reference.Symbol);
  return Known;
}

std::shared_ptr<CpuCheck::ReferenceRun> CpuCheck::runOf(const BuiltVariant &Reference, const BuiltVariant &V,
                                                        const Environment &Size) {
  Dim3 Block = V.Parts.Block.value_or(Dim3{0, 0, 0});
  std::string Key =
      formatv("{0};{1},{2},{3};{4}", Reference.Row.Variant, Block.X, Block.Y, Block.Z, sizeName(W, Size));
  std::shared_ptr<Program> P = programOf(Reference);
  std::shared_ptr<ReferenceRun> Run;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::shared_ptr<ReferenceRun> &Known = Runs[Key];
    if (!Known)
      Known = std::make_shared<ReferenceRun>();
    Run = Known;
  }
  std::call_once(Run->Done, [&] {
    Run->Failure = P->Refusal;
    if (!P->Code)
      return;
    auto Fail = [&](Error E) { Run->Failure = "the prepared kernel: " + toString(std::move(E)); };
    Expected<ResolvedProblem> Shape = resolve(W, Size, Builder.definesOf(V.Parts), V.Parts.Block);
    if (!Shape)
      return Fail(Shape.takeError());
    Expected<HostProblem> Filled = HostProblem::create(std::move(*Shape));
    if (!Filled)
      return Fail(Filled.takeError());
    Run->Problem.emplace(std::move(*Filled));
    if (Error E = Run->run(*P, Reference))
      Fail(std::move(E));
  });
  return Run;
}

/// What threads of a launch at \p Shape execute together, about.
static double instructionsAt(const ResolvedProblem &Shape, const ResolvedProblem &Tune,
                             const BuiltVariant &Reference) {
  double Each = Reference.Row.Instr.value_or(0);
  if (Shape.WorkAmount && Tune.WorkAmount && *Tune.WorkAmount > 0)
    return Each * Tune.Launches.front().threads() * double(*Shape.WorkAmount) / double(*Tune.WorkAmount);
  // A thread rarely does more at a smaller size.
  return Each * Shape.Launches.front().threads();
}

std::vector<Environment> CpuCheck::sizesFor(const BuiltVariant &V, const BuiltVariant &Reference,
                                            CheckDepth Depth) {
  DefineValues Defines = Builder.definesOf(V.Parts);
  std::vector<std::pair<double, const Environment *>> Legal;
  for (const Environment &Size : W.CheckSizes) {
    // A workload's sizes resolve, but a block of the variant may divide what they do not.
    Expected<ResolvedProblem> Shape = resolve(W, Size, Defines, V.Parts.Block);
    Expected<ResolvedProblem> Tune = resolve(W, W.TuneSize, Defines, V.Parts.Block);
    if (!Shape || !Tune) {
      consumeError(Shape.takeError());
      consumeError(Tune.takeError());
      continue;
    }
    const ResolvedLaunch &Author = Shape->Launches.front();
    Expected<LaunchShape> Physical = V.Kernel.Contract.physical(authorShape(Author));
    if (!Physical)
      consumeError(Physical.takeError());
    else if (Error TooLarge = checkConstantCopies(V.Kernel.Contract, *Shape))
      consumeError(std::move(TooLarge));
    else
      Legal.emplace_back(instructionsAt(*Shape, *Tune, Reference), &Size);
  }
  stable_sort(Legal, less_first());
  std::vector<Environment> Sizes;
  for (const auto &[Instructions, Size] : Legal)
    if (Sizes.empty() || Depth == CheckDepth::All ||
        (Depth == CheckDepth::Usual && Instructions <= MostInstructions))
      Sizes.push_back(*Size);
  return Sizes;
}

std::vector<CpuOutputs> CpuCheck::outputsOf(const BuiltVariant &Reference, CheckDepth Depth) {
  std::vector<CpuOutputs> All;
  for (const Environment &Size : sizesFor(Reference, Reference, Depth)) {
    std::shared_ptr<ReferenceRun> Run = runOf(Reference, Reference, Size);
    CpuOutputs &One = All.emplace_back();
    One.Size = sizeName(W, Size);
    One.Freedom = programOf(Reference)->Freedom;
    One.Failure = Run->Failure;
    if (!Run->Failure.empty())
      continue;
    for (const auto &[Index, Shape, Output] : enumerate(Run->Problem->buffers(), Run->Outputs))
      if (Shape.Role != BufferRole::In)
        One.Buffers.push_back({uint32_t(Index), Shape.Name, Output.Bytes});
  }
  return All;
}

/// What a run on the CPU says of a variant.
namespace {
struct Verdict {
  CheckOutcome Outcome = CheckOutcome::Skipped;
  VariantStatus Status = VariantStatus::Ok;
  std::string Message; ///< Of a status that is not Ok; else why nothing is known.
};
} // namespace

static Verdict verdictOf(const HostFault &Fault) {
  switch (Fault.Kind) {
  case FaultKind::StackOverflow: // The CPU's stacks say nothing about the GPU's.
    return {CheckOutcome::Skipped, VariantStatus::Ok, Fault.Message};
  case FaultKind::TimeLimit:
  case FaultKind::StepLimit:
    return {CheckOutcome::Wrong, VariantStatus::Timeout, Fault.Message};
  default:
    return {CheckOutcome::Wrong, VariantStatus::Fault, Fault.Message};
  }
}

static Verdict wrong(protocol::Mismatch M, StringRef Buffer) {
  if (!Buffer.empty())
    M.Buffer = Buffer.str();
  return {CheckOutcome::Wrong, VariantStatus::Wrong, describe(M)};
}

/// The worst of the outputs after one run.
static Verdict compareOutputs(const PatternRuns &Runs, ArrayRef<ResolvedBuffer> Shapes,
                              ArrayRef<ReferenceOutput> Wanted, uint8_t Pattern,
                              const protocol::Comparison &Compare) {
  Verdict Found{CheckOutcome::Bitwise, VariantStatus::Ok, ""};
  for (const auto &[Index, Shape] : enumerate(Shapes)) {
    if (Shape.Role == BufferRole::In)
      continue;
    OutputComparer Comparer(Shape.Type, Compare, Wanted[Index].Bytes, Wanted[Index].Unwritten, Pattern);
    Comparer.feed(*Runs.bytes(Index)); // Only inputs are variables.
    if (Comparer.outcome() == CheckOutcome::Wrong)
      return wrong(Comparer.mismatch(), Shape.Name);
    Found.Outcome = std::max(Found.Outcome, Comparer.outcome());
  }
  return Found;
}

/// Runs over both patterns and compares.
static Verdict runAndCompare(PatternRuns &Runs, ArrayRef<ResolvedBuffer> Shapes,
                             ArrayRef<ReferenceOutput> Wanted, const protocol::Comparison &Compare) {
  CheckOutcome Worst = CheckOutcome::Bitwise;
  for (size_t Run = 0; Run != FillPatterns.size(); ++Run) {
    if (Error E = Runs.run(Run))
      return {CheckOutcome::Skipped, VariantStatus::Ok, toString(std::move(E))};
    if (Runs.fault())
      return verdictOf(*Runs.fault());
    // A changed input explains wrong output, and may be all that is wrong.
    if (std::optional<protocol::Mismatch> Changed = Runs.findChangedInput())
      return wrong(std::move(*Changed), "");
    Verdict Found = compareOutputs(Runs, Shapes, Wanted, FillPatterns[Run], Compare);
    if (Found.Outcome == CheckOutcome::Wrong)
      return Found;
    Worst = std::max(Worst, Found.Outcome);
  }
  return {Worst, VariantStatus::Ok, ""};
}

void CpuCheck::check(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
                     VariantResult &Row) {
  std::string Code = codeForCpu(V);
  std::string Key = formatv("{0};{1};{2},{3},{4};{5},{6},{7};{8}", Reference.Row.Variant, V.Row.DynamicShared,
                            V.Row.Grid.X, V.Row.Grid.Y, V.Row.Grid.Z, V.Row.Block.X, V.Row.Block.Y,
                            V.Row.Block.Z, toHex(SHA256::hash(arrayRefFromStringRef(Code))));
  std::shared_ptr<SameCode> Same;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::shared_ptr<SameCode> &Known = Checked[Key];
    if (!Known)
      Known = std::make_shared<SameCode>();
    Same = Known;
  }
  std::lock_guard<std::mutex> Guard(Same->Lock);
  checkCode(V, Code, Reference, Depth, Same->Row);
  Row.OnCpu = Same->Row.OnCpu;
  if (Same->Row.Status == VariantStatus::Ok)
    return;
  Row.Status = Same->Row.Status;
  Row.Message = Same->Row.Message;
}

void CpuCheck::checkCode(const BuiltVariant &V, StringRef Code, const BuiltVariant &Reference,
                         CheckDepth Depth, VariantResult &Row) {
  if (Row.Status != VariantStatus::Ok)
    return;
  HostCheck &OnCpu = Row.OnCpu;
  std::vector<Environment> Sizes = sizesFor(V, Reference, Depth);
  if (Sizes.empty())
    OnCpu.Note = "no check size that the variant can be launched at";
  erase_if(Sizes, [&](const Environment &Size) { return is_contained(OnCpu.Sizes, sizeName(W, Size)); });
  if (Sizes.empty())
    return;
  std::shared_ptr<Program> Of = programOf(Reference);
  Program Candidate(Code, V.Symbol);
  OnCpu.Note = Candidate.Refusal;
  if (!Candidate.Code)
    return;
  bool Open = Candidate.Freedom.BetweenVariants || Of->Freedom.BetweenVariants;
  protocol::Comparison Compare{Open ? protocol::CompareMode::Tolerance : protocol::CompareMode::Bitwise,
                               W.Tolerance.Relative, W.Tolerance.Absolute};
  for (const Environment &Size : Sizes) {
    std::shared_ptr<ReferenceRun> Wanted = runOf(Reference, V, Size);
    if (!Wanted->Failure.empty()) {
      OnCpu.Note = Wanted->Failure;
      continue;
    }
    const ResolvedLaunch &Author = Wanted->Problem->launch();
    LaunchShape Shape = cantFail(V.Kernel.Contract.physical(authorShape(Author))); // sizesFor asked.
    PatternRuns Runs(*Wanted->Problem, *Candidate.Code, V.Symbol, Shape,
                     std::max(VariantTimeLimit, MostTimesReference * Wanted->Seconds), /*Workers=*/1);
    Verdict Found = runAndCompare(Runs, Wanted->Problem->buffers(), Wanted->Outputs, Compare);
    OnCpu.Outcome = std::max(OnCpu.Outcome, Found.Outcome);
    if (Found.Outcome == CheckOutcome::Skipped) {
      OnCpu.Note = Found.Message;
      continue;
    }
    OnCpu.Sizes.push_back(sizeName(W, Size));
    if (Found.Status == VariantStatus::Ok)
      continue;
    Row.Status = Found.Status;
    Row.Message = formatv("on the CPU at {0}: {1}", OnCpu.Sizes.back(), Found.Message);
    return;
  }
}

} // namespace gpuprune
