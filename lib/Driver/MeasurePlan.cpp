//===- MeasurePlan.cpp - What the runner is asked to check and time ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Check/OpenBuffers.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

protocol::Launch toLaunch(const BuiltVariant &V, const ResolvedLaunch &Launch, PhysicalLaunch Physical) {
  protocol::Launch Out;
  static_cast<PhysicalLaunch &>(Out) = std::move(Physical);
  Out.Cubin = sys::path::filename(V.Code->Cubin).str();
  Out.Symbol = V.Code->Symbol;
  Out.Code = V.CodeIdentity;
  for (const ResolvedArgument &Argument : Launch.Arguments)
    Out.Args.push_back({Argument.Buffer, Argument.Type, Argument.Bits, Argument.Offset,
                        Argument.Structure ? Argument.Structure->bytes() : std::vector<uint8_t>()});
  return Out;
}

/// The tuned launch of \p Problem by \p V, behind what comes before it.
static protocol::Program toProgram(const BuiltVariant &V, const ResolvedProblem &Problem,
                                   PhysicalLaunch Physical, const MeasureContext &Context) {
  protocol::Program Out;
  for (const ResolvedLaunch &Launch : Problem.earlier()) {
    const BuiltLaunch &Before = *Context.Earlier->launches()[Launch.Spec];
    Out.Launches.push_back(
        toLaunch(V.Stock ? Before.stock() : Before.prepared(), Launch, asWritten(authorLaunch(Launch))));
  }
  Out.Untimed = static_cast<uint32_t>(Out.Launches.size());
  Out.Launches.push_back(toLaunch(V, Problem.tuned(), std::move(Physical)));
  return Out;
}

/// \p V as it is launched at \p Sizes by its launch contract.
static Expected<ResolvedProblem> problemAt(const BuiltVariant &V, const Environment &Sizes,
                                           const MeasureContext &Context) {
  Expected<ResolvedProblem> Problem =
      resolve(Context.W, Sizes, Context.Builder.definesOf(V.parts()), V.parts().Block);
  if (Problem)
    if (Error E = checkBufferArguments(V.Kernel.Contract, *Problem))
      return std::move(E);
  return Problem;
}

/// \p Kernel, prepared or stock, as its author launches it in \p Problem.
static protocol::Program asAuthored(const BuiltVariant &Kernel, const ResolvedProblem &Problem,
                                    const MeasureContext &Context) {
  return toProgram(Kernel, Problem, asWritten(authorLaunch(Problem.tuned())), Context);
}

/// Adds the programs that \p V, at \p Own, is compared with.
static Error addStandards(protocol::Problem &Problem, const BuiltVariant &V, const ResolvedProblem &Own,
                          const Environment &Sizes, const MeasureContext &Context) {
  Expected<ResolvedProblem> Author = problemAt(Context.Author, Sizes, Context);
  if (!Author)
    return Author.takeError();
  if (V.Stock) {
    Problem.Stock = asAuthored(Context.Stock, *Author, Context);
    return Error::success();
  }
  const LaunchChoice &Choice = Context.Builder.choiceOf(V.parts());
  bool IsPrepared = V.parts() == Context.Reference.parts();
  if (IsPrepared && (Choice.IsAuthors || !Choice.OwnResult.empty())) {
    if (Choice.IsAuthors)
      Problem.Stock = asAuthored(Context.Stock, *Author, Context);
    else if (Context.OwnStock)
      Problem.Stock = asAuthored(*Context.OwnStock, Own, Context);
    return Error::success();
  }
  Problem.Reference = asAuthored(Context.Reference, Own, Context);
  if (!Choice.IsAuthors && Choice.OwnResult.empty())
    Problem.Truth = asAuthored(Context.Author, *Author, Context);
  std::vector<BufferFreedom> Free =
      bufferFreedom(Context.Reference.Kernel.Freedom, Context.Author.Kernel.Freedom, Own);
  // What they leave open is so in whatever is made of it.
  if (std::string Why = Context.Earlier ? Context.Earlier->freedom() : ""; !Why.empty())
    openAll(Free, Why, Own);
  Problem.Open = openBuffers(Free);
  return Error::success();
}

/// The problem at one size; nothing where the launch contract does not divide the
/// launch, a buffer is too large for constant memory or the variant's defines and block do
/// not fit the size: then it must not be launched.
static Expected<std::optional<protocol::Problem>> makeProblem(const BuiltVariant &V, const Environment &Sizes,
                                                              const MeasureContext &Context) {
  protocol::Problem Problem;
  Problem.Name = sizeName(Context.W, Sizes);
  Expected<ResolvedProblem> Own = problemAt(V, Sizes, Context);
  if (!Own) {
    consumeError(Own.takeError()); // skippedSizes() names it.
    return std::nullopt;
  }
  Expected<PhysicalLaunch> Physical =
      V.Kernel.launchFor(authorLaunch(Own->tuned()), Context.Builder.device().SMCount);
  if (!Physical) {
    consumeError(Physical.takeError());
    return std::nullopt;
  }
  Problem.Buffers = protocolBuffers(*Own);
  Problem.Candidate = toProgram(V, *Own, std::move(*Physical), Context);
  if (Error E = addStandards(Problem, V, *Own, Sizes, Context))
    return std::move(E);
  return Problem;
}

/// Whether what earlier runs leave in inout buffers may change how long the kernel takes. Its arguments are
/// taken to point to different objects, so a buffer that is passed twice proves nothing.
static bool mustRestore(const VariantKernel &Prepared, const ResolvedProblem &Problem) {
  // Of a sequence an out buffer may be read, too: by the launches behind the first that writes it.
  bool IsSequence = !Problem.earlier().empty();
  auto IsInOut = [&](const ResolvedBuffer &B) {
    return B.Role == BufferRole::InOut || (IsSequence && B.Role == BufferRole::Out);
  };
  // Nor is it known what is read by pointers that are no arguments.
  if (Problem.hasAddresses() && any_of(Problem.Buffers, IsInOut))
    return true;
  const std::vector<ResolvedArgument> &Arguments = Problem.tuned().Arguments;
  if (Prepared.TimeDependence.size() < Arguments.size()) // Not known.
    return any_of(Problem.Buffers, IsInOut);
  SmallDenseSet<unsigned> Passed;
  for (const auto &[Argument, Dependence] : zip(Arguments, Prepared.TimeDependence)) {
    if (!Argument.Buffer)
      continue;
    bool Depends = !Dependence.empty() && IsInOut(Problem.Buffers[*Argument.Buffer]);
    if (Depends || !Passed.insert(*Argument.Buffer).second)
      return true;
  }
  // A variable of the device is read without being passed.
  return any_of(enumerate(Problem.Buffers), [&](const auto &Each) {
    const ResolvedBuffer &B = Each.value();
    return IsInOut(B) && !B.Symbol.empty() && !Passed.contains(static_cast<unsigned>(Each.index()));
  });
}

static Expected<protocol::Measure> makeTiming(const BuiltVariant &V, const MeasureContext &Context) {
  // Over the buffers of V, which may be its own.
  bool IsOwn = !V.Stock && !Context.Builder.choiceOf(V.parts()).OwnResult.empty() && Context.OwnStock;
  const BuiltVariant &Baseline = IsOwn ? *Context.OwnStock : Context.Stock;
  Expected<ResolvedProblem> Author = problemAt(Baseline, Context.W.TuneSize, Context);
  if (!Author)
    return Author.takeError();
  protocol::Measure Timing;
  Timing.Problem = sizeName(Context.W, Context.W.TuneSize);
  Timing.Baseline = asAuthored(Baseline, *Author, Context);
  Timing.Warmup = Context.Options.Warmup;
  Timing.Samples = Context.Options.Samples;
  Timing.MinSampleMs = Context.Options.MinSampleMs;
  Timing.FlushL2 = Context.Options.FlushL2;
  Timing.Rotate = Context.Options.Rotate;
  // For the baseline, too, which is a kernel of the author's defines.
  Timing.Restore = mustRestore(Context.Reference.Kernel, *Author) ||
                   (!IsOwn && mustRestore(Context.Author.Kernel, *Author));
  return Timing;
}

Expected<protocol::Job> makeJob(const BuiltVariant &V, std::string Id, const MeasureContext &Context) {
  protocol::Job Job;
  Job.Id = std::move(Id);
  Job.Compare = {protocol::CompareMode::Bitwise, Context.W.Tolerance.Relative, Context.W.Tolerance.Absolute};
  for (const Environment &Size : distinctSizes(Context.W)) {
    Expected<std::optional<protocol::Problem>> Problem = makeProblem(V, Size, Context);
    if (!Problem)
      return Problem.takeError();
    if (*Problem)
      Job.Checks.push_back(std::move(**Problem));
  }
  Expected<protocol::Measure> Timing = makeTiming(V, Context);
  if (!Timing)
    return Timing.takeError();
  Job.Timing = std::move(*Timing);
  return Job;
}

static VariantStatus statusOf(protocol::ResultStatus Status) {
  if (Status == protocol::ResultStatus::Load)
    return VariantStatus::Launch;
  // Other names are the same on both sides, but for what is no fault of the variant.
  return parseVariantStatus(protocol::resultStatusName(Status)).value_or(VariantStatus::Runner);
}

/// Of the sizes that were compared by tolerance, what the first says of it.
static std::string describeTolerance(const protocol::Result &Result) {
  for (const protocol::ProblemCheck &Check : Result.Checks)
    for (const std::optional<protocol::Tolerated> *Link : {&Check.Apart, &Check.LaunchApart})
      if (const std::optional<protocol::Tolerated> &T = *Link)
        return Check.Problem + ": " + describe(*T);
  return "";
}

void applyResult(const protocol::Result &Result, VariantResult &Row) {
  VariantStatus Status = statusOf(Result.Status);
  // A good result takes nothing back: a row that spills, or whose reference is
  // wrong, stays one.
  if (Status != VariantStatus::Ok && Row.isGood()) {
    Row.Status = Status;
    Row.Message = Result.Message;
  }
  Measurement &Found = Row.OnGpu;
  Found.FromDatabase = Result.Stored;
  Found.Outcome = Result.Check;
  Found.Tolerance = describeTolerance(Result);
  Found.SamplesMs = Result.SamplesMs;
  Found.LaunchesPerSample = Result.LaunchesPerSample;
  if (Result.Warmed)
    Found.WarmupStable = Result.Warmed->Stable;
  if (Result.GpuClock) {
    Found.ClockMinMhz = Result.GpuClock->MinMhz;
    Found.ClockMaxMhz = Result.GpuClock->MaxMhz;
  }
  Found.MedianMs = Result.MedianMs;
  Found.BaselineSamplesMs = Result.BaselineMs;
  Found.BaselineMedianMs = Result.BaselineMedianMs;
  if (!Result.Kernels.empty())
    Found.DriverBlocksPerSM = Result.Kernels.back().BlocksPerSM;
}

} // namespace gpuprune
