//===- MeasurePlan.cpp - What the runner is asked to check and time ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static protocol::Fill toProtocol(const FillSpec &Fill, ElementType Type) {
  bool IsInteger = !isFloatingPoint(Type);
  double Low = IsInteger ? double(Fill.LowInteger) : Fill.Low;
  double High = IsInteger ? double(Fill.HighInteger) : Fill.High;
  switch (Fill.FillKind) {
  case FillSpec::Kind::None:
  case FillSpec::Kind::Zero:
    return {protocol::FillKind::Zero};
  case FillSpec::Kind::Constant:
    return {protocol::FillKind::Constant, Low};
  case FillSpec::Kind::Uniform:
    return {protocol::FillKind::Uniform, 0, Low, High, Fill.Seed};
  case FillSpec::Kind::Iota:
    return {protocol::FillKind::Iota};
  }
  llvm_unreachable("every fill is covered");
}

static protocol::BufferRole toProtocol(BufferRole Role) {
  switch (Role) {
  case BufferRole::In:
    return protocol::BufferRole::In;
  case BufferRole::Out:
    return protocol::BufferRole::Out;
  case BufferRole::InOut:
    return protocol::BufferRole::InOut;
  }
  llvm_unreachable("every role is covered");
}

static protocol::ElementType toProtocol(ElementType Type) {
  return *protocol::parseElementType(elementTypeName(Type)); // Both have the same names.
}

static protocol::Dim3 toProtocol(const Dim3 &D) {
  return {uint32_t(D.X), uint32_t(D.Y), uint32_t(D.Z)}; // Within the device's limits, which were checked.
}

static protocol::Program toProgram(const BuiltVariant &V, const ResolvedLaunch &Launch, const Dim3 &Grid) {
  protocol::Launch Out;
  Out.Cubin = sys::path::filename(V.Code->Cubin).str();
  Out.Symbol = V.Code->Symbol;
  Out.Grid = toProtocol(Grid);
  Out.Block = toProtocol(Launch.Block);
  Out.DynamicShared = Launch.SharedBytes;
  for (const ResolvedArgument &Argument : Launch.Arguments)
    Out.Args.push_back({Argument.Buffer, toProtocol(Argument.Type), Argument.Bits});
  return {{std::move(Out)}};
}

static std::vector<protocol::Buffer> toBuffers(const ResolvedProblem &Problem) {
  std::vector<protocol::Buffer> Buffers;
  for (const ResolvedBuffer &B : Problem.Buffers)
    Buffers.push_back({B.Name, toProtocol(B.Type), B.Count, toProtocol(B.Fill, B.Type), toProtocol(B.Role)});
  return Buffers;
}

static std::string sizeName(const Workload &W, const Environment &Sizes) {
  std::vector<std::string> Parts;
  for (const std::string &Name : W.SizeNames)
    Parts.push_back(formatv("{0}={1}", Name, Sizes.lookup(Name)));
  return join(Parts, ",");
}

static Expected<ResolvedLaunch> launchAt(const BuiltVariant &V, const Environment &Sizes,
                                         const MeasureContext &Context, std::vector<protocol::Buffer> *Buffers) {
  Expected<ResolvedProblem> Problem =
      resolve(Context.W, Sizes, Context.Builder.definesOf(V.Parts), V.Parts.Block);
  if (!Problem)
    return Problem.takeError();
  if (Buffers)
    *Buffers = toBuffers(*Problem);
  return std::move(Problem->Launches.front());
}

/// The problem at one size; nothing where the launch contract does not divide
/// the grid, which then must not be launched.
static Expected<std::optional<protocol::Problem>> makeProblem(const BuiltVariant &V, const Environment &Sizes,
                                                              const MeasureContext &Context) {
  protocol::Problem Problem;
  Problem.Name = sizeName(Context.W, Sizes);
  Expected<ResolvedLaunch> Launch = launchAt(V, Sizes, Context, &Problem.Buffers);
  if (!Launch)
    return Launch.takeError();
  Expected<Dim3> Grid = V.Kernel.Contract.physicalGrid(Launch->Grid);
  if (!Grid) {
    consumeError(Grid.takeError());
    return std::nullopt;
  }
  Problem.Candidate = toProgram(V, *Launch, *Grid);
  bool IsReference = V.Row.Variant == Context.Reference.Row.Variant && !V.Stock;
  if (!IsReference && !V.Stock) {
    Problem.Reference = toProgram(Context.Reference, *Launch, Launch->Grid);
    return Problem;
  }
  Expected<ResolvedLaunch> StockLaunch = launchAt(Context.Stock, Sizes, Context, nullptr);
  if (!StockLaunch)
    return StockLaunch.takeError();
  Problem.Stock = toProgram(Context.Stock, *StockLaunch, StockLaunch->Grid);
  return Problem;
}

Expected<protocol::Job> makeJob(const BuiltVariant &V, std::string Id, const MeasureContext &Context) {
  protocol::Job Job;
  Job.Id = std::move(Id);
  Job.Compare = {protocol::CompareMode::Bitwise, Context.W.Tolerance.Relative, Context.W.Tolerance.Absolute};
  std::vector<Environment> Sizes = Context.W.CheckSizes;
  Sizes.push_back(Context.W.TuneSize);
  for (const Environment &Size : Sizes) {
    Expected<std::optional<protocol::Problem>> Problem = makeProblem(V, Size, Context);
    if (!Problem)
      return Problem.takeError();
    if (*Problem)
      Job.Checks.push_back(std::move(**Problem));
  }
  Expected<ResolvedLaunch> StockLaunch = launchAt(Context.Stock, Context.W.TuneSize, Context, nullptr);
  if (!StockLaunch)
    return StockLaunch.takeError();
  protocol::Measure Timing;
  Timing.Problem = sizeName(Context.W, Context.W.TuneSize);
  Timing.Baseline = toProgram(Context.Stock, *StockLaunch, StockLaunch->Grid);
  Timing.Warmup = Context.Options.Warmup;
  Timing.Samples = Context.Options.Samples;
  Job.Timing = std::move(Timing);
  return Job;
}

static VariantStatus statusOf(protocol::ResultStatus Status) {
  if (Status == protocol::ResultStatus::Load)
    return VariantStatus::Launch;
  // Other names are the same on both sides, but for what is no fault of the variant.
  return parseVariantStatus(protocol::resultStatusName(Status)).value_or(VariantStatus::Runner);
}

static CheckResult checkOf(protocol::CheckOutcome Outcome) {
  return *parseCheckResult(protocol::checkOutcomeName(Outcome)); // The same names.
}

static std::string describe(const protocol::Result &Result) {
  if (Result.Status != protocol::ResultStatus::Wrong)
    return Result.Message;
  for (const protocol::ProblemCheck &Check : Result.Checks)
    if (Check.Detail)
      return formatv("{0}: {1} in '{2}' at {3}: expected {4}, got {5}; {6} differ{7}", Check.Problem,
                     protocol::mismatchKindName(Check.Detail->Kind), Check.Detail->Buffer, Check.Detail->Index,
                     Check.Detail->Expected, Check.Detail->Got, Check.Detail->Differing,
                     Result.Message.empty() ? "" : "; " + Result.Message);
  return Result.Message;
}

void applyResult(const protocol::Result &Result, VariantResult &Row) {
  VariantStatus Status = statusOf(Result.Status);
  // A variant that spills is measured too and stays known as one that spills.
  if (Status != VariantStatus::Ok || Row.Status != VariantStatus::Spills)
    Row.Status = Status;
  if (Status != VariantStatus::Ok)
    Row.Message = describe(Result);
  Row.Check = checkOf(Result.Check);
  Row.SamplesMs = Result.SamplesMs;
  Row.MedianMs = Result.MedianMs;
  Row.BaselineSamplesMs = Result.BaselineMs;
  Row.BaselineMedianMs = Result.BaselineMedianMs;
  if (!Result.Kernels.empty())
    Row.DriverBlocksPerSM = Result.Kernels.front().BlocksPerSM;
}

} // namespace gpuprune
