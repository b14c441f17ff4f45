//===- HostRuns.cpp - Runs of a kernel on the CPU that are compared -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/HostRuns.h"
#include "gpuprune/HostExecution/WatchedLaunch.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PinContraction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

using protocol::CompareMode;
using protocol::Comparison;

Expected<std::unique_ptr<HostProgram>> compileForCpu(StringRef Bitcode, const std::string &Symbol,
                                                     bool IsStock, bool Watch) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return M.takeError();
  // Stock clang's code leaves open what is contracted. One choice is as right as another, and this
  // one is that of the prepared kernel, so that only other differences show.
  if (IsStock)
    for (Function &F : **M)
      pinContraction(F);
  HostOptions Options;
  Options.Kernels = {Symbol};
  Options.WatchMemory = Watch;
  return HostProgram::create(**M, Options);
}

static thread_local uint64_t EndedByMachine = 0;
uint64_t endedByMachine() { return EndedByMachine; }
void noteEndedByMachine() { ++EndedByMachine; }

Error PatternRuns::run(size_t Run) {
  Error E = runOnce(Run);
  if (E || (Fault && Fault->Kind == FaultKind::TimeLimit))
    noteEndedByMachine();
  return E;
}

Error PatternRuns::runOnce(size_t Run) {
  Buffers.reset();
  Expected<HostBuffers> Made = HostBuffers::create(Request.Problem, Request.Code, FillPatterns[Run],
                                                   Run ? GuardSide::Start : GuardSide::End);
  if (!Made)
    return Made.takeError();
  Buffers.emplace(std::move(*Made));
  HostLaunch Launch = Buffers->launch(Request.Problem.launch(), Request.Shape);
  Launch.Kernel = Request.Symbol.str();
  Launch.TimeLimit = Request.TimeLimit;
  Launch.Workers = Request.Workers;
  Launch.SharedPattern = SharedPatterns[Run];
  Launch.Round = Request.Round;
  Launch.ScheduleSeed = Run; // A result that depends on the order of threads shows.
  Expected<LaunchReport> Report = Request.Code.launch(Launch);
  if (!Report)
    return Report.takeError();
  Fault = std::move(Report->Fault);
  return Error::success();
}

std::optional<protocol::Mismatch> PatternRuns::findChangedInput() const {
  for (const auto &[Index, Shape] : enumerate(Request.Problem.buffers())) {
    std::optional<ArrayRef<uint8_t>> Now = bytes(Index);
    if (Shape.Role != BufferRole::In || !Now)
      continue;
    const std::vector<uint8_t> &Before = Request.Problem.contents()[Index];
    OutputComparer Comparer(Shape.Type, {}, Before, {}, FillPatterns[0]);
    Comparer.feed(Now->take_front(Before.size()));
    if (Comparer.verdict().Outcome != CheckOutcome::Wrong)
      continue;
    protocol::Mismatch Changed = Comparer.verdict().First;
    Changed.Kind = protocol::MismatchKind::Input;
    Changed.Buffer = Shape.Name;
    return Changed;
  }
  return std::nullopt;
}

void RunVerdict::add(const RunVerdict &Other) {
  if (Other.Outcome > Outcome) {
    Outcome = Other.Outcome;
    Status = Other.Status;
    Message = Other.Message;
  }
  if (Tolerance.empty())
    Tolerance = Other.Tolerance;
}

RunVerdict verdictOf(const HostFault &Fault) {
  switch (Fault.Kind) {
  case FaultKind::StackOverflow: // The CPU's stacks say nothing about the GPU's.
    return {CheckOutcome::Skipped, VariantStatus::Ok, Fault.Message, ""};
  case FaultKind::TimeLimit:
  case FaultKind::StepLimit:
    return {CheckOutcome::Wrong, VariantStatus::Timeout, Fault.Message, ""};
  default:
    return {CheckOutcome::Wrong, VariantStatus::Fault, Fault.Message, ""};
  }
}

RunVerdict wrongVerdict(protocol::Mismatch M, StringRef Buffer) {
  if (!Buffer.empty())
    M.Buffer = Buffer.str();
  return {CheckOutcome::Wrong, VariantStatus::Wrong, describe(M), ""};
}

static Comparison comparisonOf(const Comparison &Tolerance, StringRef Reason) {
  Comparison Compare = Tolerance;
  Compare.Mode = Reason.empty() ? CompareMode::Bitwise : CompareMode::Tolerance;
  return Compare;
}

/// \p Got, after a run over \p Pattern, against \p Wanted. \p Untouched is what OutputComparer takes for the
/// runs of an out buffer.
static RunVerdict compareBuffer(const ResolvedBuffer &Shape, const ReferenceOutput &Wanted,
                                ArrayRef<uint8_t> Got, uint8_t Pattern, StringRef Reason,
                                const Comparison &Tolerance, std::vector<uint64_t> *Untouched = nullptr) {
  OutputComparer Comparer(Shape.Type, comparisonOf(Tolerance, Reason), Wanted.Bytes, Wanted.Unwritten,
                          Pattern, Untouched);
  Comparer.feed(Got);
  if (Comparer.verdict().Outcome == CheckOutcome::Wrong)
    return wrongVerdict(Comparer.verdict().First, Shape.Name);
  RunVerdict Found{Comparer.verdict().Outcome, VariantStatus::Ok, "", ""};
  if (Found.Outcome == CheckOutcome::Tolerance)
    Found.Tolerance = describe(protocol::Tolerated{
        Shape.Name, Reason.str(), compareWithExpected(Shape.Type, Tolerance, Wanted.Bytes, Got)});
  return Found;
}

RunVerdict runAndCompare(const HostRunRequest &Request, const KernelRun &Wanted, ArrayRef<BufferFreedom> Open,
                         const Comparison &Tolerance) {
  PatternRuns Runs(Request);
  RunVerdict Worst{CheckOutcome::Bitwise, VariantStatus::Ok, "", ""};
  std::vector<std::vector<uint64_t>> Untouched(Request.Problem.buffers().size());
  for (size_t Run = 0; Run != FillPatterns.size(); ++Run) {
    if (Error E = Runs.run(Run))
      return {CheckOutcome::Skipped, VariantStatus::Ok, toString(std::move(E)), ""};
    if (Runs.fault())
      return verdictOf(*Runs.fault());
    // A changed input explains wrong output, and may be all that is wrong.
    if (std::optional<protocol::Mismatch> Changed = Runs.findChangedInput())
      return wrongVerdict(std::move(*Changed), "");
    for (const auto &[Index, Shape] : enumerate(Request.Problem.buffers())) {
      if (Shape.Role == BufferRole::In)
        continue;
      // Only inputs are variables, so there are bytes.
      Worst.add(compareBuffer(Shape, Wanted.Outputs[Index], *Runs.bytes(Index), FillPatterns[Run],
                              Open[Index].BetweenVariants, Tolerance,
                              Shape.Role == BufferRole::Out ? &Untouched[Index] : nullptr));
      if (Worst.Outcome == CheckOutcome::Wrong)
        return Worst;
    }
  }
  return Worst;
}

RunVerdict compareWithTruth(ArrayRef<ResolvedBuffer> Buffers, const KernelRun &Own, const KernelRun &Truth,
                            ArrayRef<BufferFreedom> Open, const Comparison &Tolerance) {
  RunVerdict Worst{CheckOutcome::Bitwise, VariantStatus::Ok, "", ""};
  for (const auto &[Shape, Got, Wanted, Freedom] : zip_equal(Buffers, Own.Outputs, Truth.Outputs, Open)) {
    if (Shape.Role == BufferRole::In)
      continue;
    // What one of both runs alone leaves as it was is written, by chance with the bytes of a pattern; so
    // the sets are compared, and then the bytes of the first run.
    std::vector<uint8_t> Bytes = Got.Bytes;
    for (const ByteRange &Range : Got.Unwritten)
      std::fill(Bytes.begin() + Range.Begin, Bytes.begin() + Range.End, FillPatterns[0]);
    Worst.add(compareBuffer(Shape, Wanted, Bytes, FillPatterns[0], Freedom.BetweenLaunches, Tolerance));
    if (Worst.Outcome != CheckOutcome::Wrong && Got.Unwritten != Wanted.Unwritten)
      Worst.add({CheckOutcome::Wrong, VariantStatus::Wrong,
                 formatv("buffer {0}: other elements are written", Shape.Name), ""});
    if (Worst.Outcome == CheckOutcome::Wrong)
      return Worst;
  }
  return Worst;
}

/// Joins what both runs left in a buffer; what is wrong with that, if anything.
static std::string joinRuns(const ResolvedBuffer &Shape, std::vector<uint8_t> First, ArrayRef<uint8_t> Second,
                            const BufferFreedom &Freedom, const Comparison &Tolerance,
                            std::vector<ReferenceOutput> &Outputs) {
  std::optional<uint64_t> Unstable;
  clearPadding(Shape.Type, First); // As the runner does where it takes a hash of what it found.
  Outputs.push_back(joinReferenceRuns(Shape.Type, std::move(First), Second, Unstable));
  if (!Unstable || Shape.Role == BufferRole::In)
    return "";
  if (Freedom.BetweenVariants.empty())
    return formatv("buffer {0}, element {1} differs between two runs over different initial contents of out "
                   "buffers and shared memory; {2} what nothing has written, or its threads race, as where a "
                   "__syncthreads is missing",
                   Shape.Name, *Unstable,
                   Shape.Role == BufferRole::InOut
                       ? "the kernel reads"
                       : "declare the buffer inout if the kernel reads it; else it reads");
  const ReferenceOutput &Joined = Outputs.back();
  OutputComparer Comparer(Shape.Type, comparisonOf(Tolerance, Freedom.BetweenVariants), Joined.Bytes,
                          Joined.Unwritten, FillPatterns[1]);
  Comparer.feed(Second);
  if (Comparer.verdict().Outcome != CheckOutcome::Wrong)
    return "";
  const protocol::Mismatch &Differs = Comparer.verdict().First;
  return formatv("buffer {0}, element {1}{2} differs between two runs by more than the tolerance, which {3} "
                 "alone does not explain",
                 Shape.Name, Differs.Index, protocol::fieldText(Differs.Field), Freedom.BetweenVariants);
}

static double secondsSince(std::chrono::steady_clock::time_point Begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
}

void runReference(const HostRunRequest &Request, ArrayRef<BufferFreedom> Open, const Comparison &Tolerance,
                  KernelRun &Into) {
  auto Fails = [&](VariantStatus Status, std::string Message) {
    Into.Status = Status;
    Into.Message = std::move(Message);
  };
  PatternRuns Both(Request);
  std::vector<std::vector<uint8_t>> Found[2];
  auto Begin = std::chrono::steady_clock::now();
  for (size_t Run = 0; Run != 2; ++Run) {
    if (Error E = Both.run(Run)) {
      Into.Note = toString(std::move(E));
      return;
    }
    if (Both.fault()) {
      RunVerdict Said = verdictOf(*Both.fault());
      // How long a kernel may take on the CPU says nothing about the kernel.
      if (Said.Status == VariantStatus::Timeout || Said.Outcome == CheckOutcome::Skipped)
        Into.Note = Said.Message;
      else
        Fails(Said.Status, Said.Message);
      return;
    }
    if (std::optional<protocol::Mismatch> Changed = Both.findChangedInput())
      return Fails(VariantStatus::Wrong,
                   describe(*Changed) + "; declare the buffer inout or out if it is written");
    for (size_t I = 0; I != Request.Problem.buffers().size(); ++I)
      Found[Run].push_back(Both.bytes(I).value_or(ArrayRef<uint8_t>()).vec());
  }
  Into.Seconds = secondsSince(Begin) / 2;
  for (const auto &[Shape, Freedom, First, Second] :
       zip_equal(Request.Problem.buffers(), Open, Found[0], Found[1]))
    if (std::string Problem = joinRuns(Shape, std::move(First), Second, Freedom, Tolerance, Into.Outputs);
        !Problem.empty())
      return Fails(VariantStatus::Wrong, Problem);
}

std::vector<uint64_t> someBlocks(const Dim3 &Grid, uint64_t Most) {
  uint64_t Blocks = uint64_t(Grid.X) * Grid.Y * Grid.Z;
  std::vector<uint64_t> Chosen;
  for (uint64_t I = 0; Blocks > Most && I < Most; ++I)
    Chosen.push_back(uint64_t(double(I) / double(Most) * double(Blocks)));
  return Chosen;
}

std::optional<HostFault> watchForFaults(const HostRunRequest &Request, uint64_t MostBlocks) {
  Expected<HostBuffers> Buffers = HostBuffers::create(Request.Problem, Request.Code, FillPatterns[0]);
  if (!Buffers) {
    consumeError(Buffers.takeError());
    noteEndedByMachine();
    return std::nullopt;
  }
  HostLaunch Launch = Buffers->launch(Request.Problem.launch(), Request.Shape);
  Launch.Kernel = Request.Symbol.str();
  Launch.TimeLimit = Request.TimeLimit;
  Launch.Workers = Request.Workers;
  Launch.BlockSubset = someBlocks(Request.Shape.Grid, std::max<uint64_t>(MostBlocks, 1));
  // What a block that is left out would have written may be read.
  std::vector<const GuardedBuffer *> Outputs;
  if (Launch.BlockSubset.empty()) {
    Outputs = Buffers->outputs(Request.Problem);
    for (size_t I = 0; I != Request.Problem.buffers().size(); ++I)
      if (std::vector<uint8_t> Written = Request.Problem.writtenBytes(I); !Written.empty())
        Buffers->markUnwritten(I, Written);
  }
  Expected<std::optional<HostFault>> Fault =
      findMemoryFault(Request.Code, std::move(Launch), Buffers->memory(), Outputs);
  if (!Fault) {
    consumeError(Fault.takeError());
    noteEndedByMachine();
    return std::nullopt;
  }
  if (*Fault && (*Fault)->Kind == FaultKind::TimeLimit)
    noteEndedByMachine();
  if (*Fault && verdictOf(**Fault).Status == VariantStatus::Fault)
    return std::move(*Fault);
  return std::nullopt;
}

} // namespace gpuprune
