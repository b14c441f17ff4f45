//===- ResultJoin.cpp - Runner results into a report ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/MeasurePlan.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <utility>

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral Stock = "stock", ReferenceKind = "reference", FinalKind = "final",
                               VariantKind = "variant:";

static std::string jobId(const TuneReport &Report, const Twine &What, StringRef Text) {
  std::string Id = (What + "@" + Report.Fingerprint).str();
  return Text.empty() ? Id : Id + " " + Text.str();
}

std::string stockJobId(const TuneReport &Report) { return jobId(Report, Stock, ""); }
std::string referenceJobId(const TuneReport &Report, StringRef Defines) {
  return jobId(Report, ReferenceKind, Defines);
}
std::string finalJobId(const TuneReport &Report) { return jobId(Report, FinalKind, ""); }
std::string variantJobId(const TuneReport &Report, size_t Row) {
  return jobId(Report, VariantKind + Twine(Row), Report.Variants[Row].text());
}

/// Equality with the reference that has \p Defines proves nothing: either it
/// differs from stock clang beyond the tolerance, or it could not be run.
static void distrust(TuneReport &Report, ArrayRef<DefineSetting> Defines, const protocol::Result &Reference) {
  bool Wrong = Reference.Status == protocol::ResultStatus::Wrong;
  for (VariantResult &Row : Report.Variants) {
    if (ArrayRef(Row.Parts.Defines).take_front(Defines.size()) != Defines)
      continue;
    if (Row.OnCpu.Outcome == CheckOutcome::Wrong)
      continue; // That is known already, and says more.
    Row.Status = Wrong ? VariantStatus::Wrong : VariantStatus::Runner;
    Row.Message = formatv("the prepared kernel with these defines {0}: {1}",
                          Wrong ? "differs from stock clang's" : "could not be checked", Reference.Message);
  }
}

/// Keeps what \p Kernel, the author's as written or prepared, does wrong at its own launch. That a driver or
/// a runner fails is not the kernel's fault.
static void noteAuthorFailure(TuneReport &Report, const protocol::Result &Kernel) {
  using protocol::ResultStatus;
  if (Kernel.Status == ResultStatus::Address && Report.AuthorFailure.empty())
    Report.AuthorFailure =
        formatv("the launch of '{0}' cannot be replayed: {1}", Report.Kernel, Kernel.Message);
  // Its own reference is the kernel itself: status reference is what it does wrong with memory.
  static constexpr ResultStatus Failures[] = {ResultStatus::Fault, ResultStatus::Wrong, ResultStatus::Timeout,
                                              ResultStatus::Reference};
  if (is_contained(Failures, Kernel.Status) && Report.AuthorFailure.empty())
    Report.AuthorFailure = formatv("the kernel '{0}' fails as its author launches it: {1}: {2}",
                                   Report.Kernel, protocol::resultStatusName(Kernel.Status), Kernel.Message);
}

/// \p Text: the defines of the prepared kernel that the job is about.
static Error joinReference(TuneReport &Report, StringRef Text, const protocol::Result &Result) {
  Expected<Variant> Reference = parseVariant(Text);
  if (!Reference)
    return makeError(ErrorKind::Input, formatv("job '{0}': {1}", Result.Id, toString(Reference.takeError())));
  joinAgreement(Report.Agreement, Text, Result);
  if (Result.Status != protocol::ResultStatus::Ok)
    distrust(Report, Reference->Defines, Result);
  if (Text.empty())
    noteAuthorFailure(Report, Result);
  return Error::success();
}

std::optional<size_t> rowOfJob(const TuneReport &Report, StringRef Id) {
  auto [What, Fingerprint] = Id.split(' ').first.split('@');
  size_t Row = 0;
  if (!What.consume_front(VariantKind) || What.getAsInteger(10, Row) || Fingerprint != Report.Fingerprint ||
      Row >= Report.Variants.size())
    return std::nullopt;
  return Row;
}

Expected<bool> joinResult(TuneReport &Report, const protocol::Result &Result) {
  auto [Head, Text] = StringRef(Result.Id).split(' ');
  auto [What, Fingerprint] = Head.split('@');
  size_t Row = 0;
  bool IsVariant = What.consume_front(VariantKind) && !What.getAsInteger(10, Row);
  if (!IsVariant && What != Stock && What != ReferenceKind && What != FinalKind)
    return false;
  if (Fingerprint != Report.Fingerprint || (IsVariant && Row >= Report.Variants.size()))
    return makeError(ErrorKind::Input,
                     formatv("the result of job '{0}' belongs to another run; jobs of this one end in @{1}",
                             Result.Id, Report.Fingerprint));
  if (Result.GpuClock)
    Report.noteClock(*Result.GpuClock);
  if (What == FinalKind) {
    takeFinal(Result, [&](StringRef Id) { return rowOfJob(Report, Id); }, Report.Final);
    return true;
  }
  if (IsVariant) {
    applyResult(Result, Report.Variants[Row]);
  } else if (What == Stock) {
    applyResult(Result, Report.Stock);
    joinReproduction(Report.Reproduced, Result);
    noteAuthorFailure(Report, Result);
  } else if (Error E = joinReference(Report, Text, Result)) {
    return std::move(E);
  }
  return true;
}

/// What the GPU said of \p Twin, which executes the same machine code as \p Row.
static void takeMeasured(const VariantResult &Twin, VariantResult &Row) {
  if (Twin.Status != VariantStatus::Ok && Row.isGood()) {
    Row.Status = Twin.Status;
    Row.Message = formatv("the same machine code as '{0}': {1}", Twin.text(), Twin.Message);
  }
  Row.OnGpu = Twin.OnGpu;
  Row.Modelled = Twin.Modelled; // Of machine code, as are the cycles.
  Row.Scheduled = Twin.Scheduled;
}

static void takeAll(const VariantResult &Twin, VariantResult &Row) {
  VariantResult Own = std::exchange(Row, Twin);
  Row.Parts = std::move(Own.Parts);
  Row.Twin = Own.Twin;
}

void copyTwins(TuneReport &Report) {
  // The twin of one with the same PTX may itself be one with the same machine code.
  for (TwinKind Kind : {TwinKind::MachineCode, TwinKind::Ptx})
    for (VariantResult &Row : Report.Variants)
      if (Row.isTwinBy(Kind))
        (Kind == TwinKind::Ptx ? takeAll : takeMeasured)(Report.Variants[Row.Twin->Row], Row);
}

std::optional<size_t> releaseTwins(TuneReport &Report, size_t Failed) {
  std::optional<size_t> Next;
  for (const auto &[Index, Row] : enumerate(Report.Variants)) {
    if (!Row.isTwinBy(TwinKind::MachineCode) || Row.Twin->Row != Failed)
      continue;
    if (Next) {
      Row.Twin->Row = *Next;
      continue;
    }
    Row.Twin.reset();
    Row.OnGpu = {};
    Next = Index;
  }
  return Next;
}

std::string whyNotRunnable(const protocol::Hello &Gpu, StringRef Arch) {
  unsigned Number = 0;
  if (!Arch.consume_front("sm_") || Arch.getAsInteger(10, Number))
    return "";
  // A cubin runs on its own compute capability and on later ones of the same major number.
  if (Gpu.Major == int(Number / 10) && Gpu.Minor >= int(Number % 10))
    return "";
  return formatv(
      "{0} has compute capability {1}.{2}, which does not run code for sm_{3}; use --device sm_{1}{2}",
      Gpu.Device, Gpu.Major, Gpu.Minor, Number);
}

static bool isUntried(const VariantResult &V) { return V.OnGpu.Outcome == CheckOutcome::Skipped; }

/// Whether nothing is known to be wrong, for the budget ended before anything was tried.
static bool ranOutOfTime(const TuneReport &Report) {
  auto IsLeftOut = [](const VariantResult &V) { return V.Status == VariantStatus::Skipped; };
  return all_of(Report.Variants, isUntried) && any_of(Report.Variants, IsLeftOut);
}

/// Whether variants that are right were left out by what chooses them, as \p Report has it, and no other was
/// tried.
static bool choseNone(const TuneReport &Report) {
  auto CouldWin = [](const VariantResult &V) { return V.isGood() && V.mayWin(); };
  return all_of(Report.Variants, isUntried) && any_of(Report.Variants, CouldWin);
}

void finishJoining(TuneReport &Report, const protocol::Hello &Gpu, size_t Missing, size_t Planned) {
  copyTwins(Report);
  if (!Gpu.HasGpu) {
    Report.NotMeasured = Gpu.Message;
    return;
  }
  Report.Gpu = formatv("{0} (compute capability {1}.{2}, driver {3})", Gpu.Device, Gpu.Major, Gpu.Minor,
                       Gpu.DriverVersion);
  Report.NotMeasured = Report.AuthorFailure;
  if (!Report.AuthorFailure.empty())
    return;
  if (Missing)
    Report.NotMeasured = formatv("{0} of {1} no result", Missing, counted(Planned, "job has", "jobs have"));
  else if (Report.Stock.Status == VariantStatus::Ok && ranOutOfTime(Report))
    Report.NotMeasured = "the budget was used up before a variant was measured; give more with --budget";
  else if (Report.Stock.Status == VariantStatus::Ok && choseNone(Report))
    Report.NotMeasured = "the search chose none of the variants; the source as written stays";
  else if (none_of(Report.Variants, isMeasured))
    Report.NotMeasured =
        "no variant was right and could be timed" +
        (Report.Stock.Status == VariantStatus::Ok ? std::string()
                                                  : "; the source as written: " + Report.Stock.Message);
}

static Expected<TuneReport> carriedReport(const Bundle &Carried, StringRef Directory) {
  const json::Value *Written = Carried.Header.get("report");
  if (!Written)
    return makeError(ErrorKind::Input,
                     formatv("'{0}' holds no bundle of gpuprune tune: its header has no report", Directory));
  return parseTuneReport(*Written);
}

Expected<TuneReport> joinResults(const Bundle &Carried, StringRef Directory, const BundleResults &Results,
                                 StringRef ResultsFile) {
  Expected<TuneReport> Report = carriedReport(Carried, Directory);
  if (!Report)
    return Report.takeError();
  if (!Results.Runner)
    return makeError(ErrorKind::Input, formatv("'{0}' does not begin with the runner's hello; expected what "
                                               "gpuprune-runner {1} writes",
                                               ResultsFile, Directory));
  StringSet<> Done;
  for (const protocol::Result &Result : Results.Results) {
    Expected<bool> Joined = joinResult(*Report, Result);
    if (!Joined)
      return makeError(ErrorKind::Input, formatv("'{0}': {1}", ResultsFile, toString(Joined.takeError())));
    Done.insert(Result.Id);
  }
  size_t Missing = count_if(Carried.Jobs, [&](const protocol::Job &Job) { return !Done.contains(Job.Id); });
  finishJoining(*Report, *Results.Runner, Missing, Carried.Jobs.size());
  Report->StoppedAfter = phaseName(Phase::Report);
  return Report;
}

Expected<TuneReport> reportOfBundle(StringRef Directory, StringRef ResultsFile) {
  Expected<Bundle> Carried = readBundle(Directory);
  if (!Carried)
    return Carried.takeError();
  Expected<BundleResults> Results = readResults(ResultsFile);
  if (!Results)
    return Results.takeError();
  return joinResults(*Carried, Directory, *Results, ResultsFile);
}

} // namespace gpuprune
