//===- TunerMeasure.cpp - A tuning run's jobs and their results ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

const BuiltVariant *Tuner::referenceOf(const BuiltVariant &V) const {
  std::string Defines = Builder->definesText(V.parts());
  for (const BuiltVariant &R : References)
    if (!R.Stock && Builder->definesText(R.parts()) == Defines && R.alive())
      return &R;
  return nullptr;
}

/// Stock clang's code with the defines of \p Prepared, where there is any.
const BuiltVariant *Tuner::stockOf(const BuiltVariant &Prepared) const {
  std::string Defines = Builder->definesText(Prepared.parts());
  for (const BuiltVariant &R : References)
    if (R.Stock && Builder->definesText(R.parts()) == Defines && R.alive())
      return &R;
  return nullptr;
}

/// The same for the same code, launches and sizes, on every machine.
std::string Tuner::fingerprint() const {
  std::string Parts = Report.Device + ";" + Report.Size;
  for (const BuiltVariant &V : References)
    Parts += formatv(";{0}:{1:x}", V.Row.text(), xxh3_64bits(V.Ptx));
  // What is built while others are measured goes to no other process.
  for (size_t Row = 0; Row != Variants.size(); ++Row)
    Parts += formatv(";{0}:{1:x}", Report.Variants[Row].text(),
                     MeasuresBeside ? 0 : xxh3_64bits(Variants[Row].Ptx));
  return formatv("{0:x-16}", xxh3_64bits(Parts));
}

Expected<protocol::Job> Tuner::jobFor(const BuiltVariant &V, const BuiltVariant &Reference, std::string Id) {
  return makeJob(
      V, std::move(Id),
      {Target.W, *Builder, stock(), Reference, author(), stockOf(V), Options.Measuring, Earlier.get()});
}

Expected<std::vector<Tuner::PlannedJob>> Tuner::plan(ArrayRef<size_t> FirstBatch) {
  for (const BuiltVariant *Needed : {&stock(), &author()})
    if (!Needed->alive())
      return makeError(*Needed->FailedAs, "the kernel as written cannot be run: " + Needed->Row.Message);
  if (Error E = writeContentsFiles(Target.W, cubinFolder()))
    return std::move(E);
  Report.Fingerprint = fingerprint();
  FinalPlan Asked;
  Asked.Id = finalJobId(Report);
  Asked.Rounds = Options.Measuring.Rounds;
  Final = FinalRounds(Asked);
  std::vector<PlannedJob> Jobs;
  Expected<protocol::Job> StockJob = jobFor(stock(), author(), stockJobId(Report));
  if (!StockJob)
    return StockJob.takeError();
  Jobs.push_back({std::move(*StockJob), std::nullopt, /*IsGate=*/true});
  for (const BuiltVariant &R : drop_begin(References)) {
    if (!R.alive() || R.Stock)
      continue;
    Expected<protocol::Job> Job = jobFor(R, R, referenceJobId(Report, R.Row.text()));
    if (!Job)
      return Job.takeError();
    Job->Timing.reset();
    if (Error E = addExpected(*Job, R.Row.text()))
      return std::move(E);
    Jobs.push_back({std::move(*Job), std::nullopt, /*IsGate=*/&R == &author()});
  }
  if (Error E = planBatch(FirstBatch, Jobs))
    return std::move(E);
  return Jobs;
}

Error Tuner::planBatch(ArrayRef<size_t> Batch, std::vector<PlannedJob> &Jobs) {
  for (size_t Row : Batch) {
    const BuiltVariant *Reference = referenceOf(Variants[Row]);
    if (!Reference) {
      Report.Variants[Row].Status = VariantStatus::Runner;
      Report.Variants[Row].Message = "the prepared kernel with these defines cannot be compiled, so there is "
                                     "nothing to check against";
      continue;
    }
    Expected<protocol::Job> Job = jobFor(Variants[Row], *Reference, variantJobId(Report, Row));
    if (!Job)
      return Job.takeError();
    Job->Timing->Watchdog = Options.Measuring.Watchdog;
    Job->Timing->ClearlySlower = Options.Measuring.ClearlySlower;
    if (Report.Variants[Row].mayWin()) {
      Job->Timing->Contests = {"all"};
      if (Report.hasAuthorDefines(Report.Variants[Row]))
        Job->Timing->Contests.push_back("author");
    }
    Final.add(*Job);
    Jobs.push_back({std::move(*Job), Row});
  }
  return Error::success();
}

Error Tuner::writeBundleOf(std::vector<PlannedJob> Planned) {
  std::vector<protocol::Job> Jobs;
  json::Array Gates;
  for (PlannedJob &Each : Planned) {
    if (Each.IsGate)
      Gates.push_back(Each.Work.Id);
    Jobs.push_back(std::move(Each.Work));
  }
  std::string Folder = shellQuoted(Options.BundleDirectory);
  Report.NotMeasured = formatv("measure with: gpuprune-runner {0} > results.jsonl; then: gpuprune report {0} "
                               "--results results.jsonl",
                               Folder);
  return writeBundle(
      Options.BundleDirectory,
      json::Object{{"report", toJSON(Report)}, {"final", toJSON(Final.plan())}, {"gates", std::move(Gates)}},
      Jobs);
}

void Tuner::beginRunner() {
  RunnerOptions Running;
  Running.Commands = {Options.Runner};
  Running.Store = &Stored;
  Running.Deadline = Limit->end();
  Runner = RunnerClient::begin(Running);
}

static double msSince(std::chrono::steady_clock::time_point Began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - Began).count();
}

/// Fills in times, or why there are none: the report is worth having without.
void Tuner::measure(std::vector<PlannedJob> Jobs) {
  auto Began = std::chrono::steady_clock::now();
  if (!Runner)
    beginRunner();
  std::unique_ptr<RunnerClient> Client = std::move(Runner); // Which ends with this function.
  if (Error E = Client->awaitHellos()) {
    Report.NotMeasured = toString(std::move(E));
    Report.RunnerFailed = true;
    return endUnmeasured();
  }
  const protocol::Hello Gpu = Client->hellos().front();
  if (!Gpu.HasGpu)
    Report.NotMeasured = Gpu.Message;
  else
    Report.NotMeasured = whyNotRunnable(Gpu, Report.Device);
  if (!Report.NotMeasured.empty())
    return endUnmeasured();
  if (!Gpu.SharedUnfilled.empty())
    Shown.say("warning: what earlier kernels left in shared memory stays there before a check on the GPU: " +
              Gpu.SharedUnfilled);
  Stored.begin(Gpu, RunnerOptions().JobTimeoutSeconds,
               "LLVM " LLVM_VERSION_STRING ", " + Builder->assembler());
  Report.Measuring.emplace();
  size_t Missing = 0, Planned = Jobs.size();
  Expected<bool> Passed = passGates(*Client, Jobs, Missing);
  Error Failure = Passed ? Error::success() : Passed.takeError();
  if (!Failure && !*Passed) {
    endUnmeasured();
    Missing = 0; // None of the others was meant to run.
    Final = FinalRounds(FinalPlan());
  } else if (!Failure) {
    Failure = measureBatches(*Client, std::move(Jobs), Missing, Planned);
  }
  awaitBuilt(); // Also where a runner is lost: the table is worth having without times.
  NotRun = Limit->isBounded() ? std::exchange(Missing, 0) : 0;
  if (!Failure)
    Failure = runFinal(*Client);
  Report.Measuring->WallMs += msSince(Began);
  Stored.finish();
  finishJoining(Report, Gpu, Missing, Planned);
  // Not even the source as written could be run, for lack of memory, say, or with a driver too old for the
  // cubin.
  bool StockRefused =
      Report.Stock.Status == VariantStatus::Runner || Report.Stock.Status == VariantStatus::Launch;
  Report.RunnerFailed = StockRefused && !Report.NotMeasured.empty();
  if (!Failure)
    return;
  Report.NotMeasured += (Report.NotMeasured.empty() ? "" : ": ") + toString(std::move(Failure));
  Report.RunnerFailed = true;
}

/// Builds and checks what there is.
void Tuner::endUnmeasured() {
  if (MeasuresBeside)
    awaitBuilt();
  beginAllChecks();
  awaitChecks();
}

/// While the GPU waits for what is no part of measuring.
void Tuner::awaitMoreBuilt() {
  auto Waits = std::chrono::steady_clock::now();
  Building->awaitBuilt();
  Report.Measuring->WallMs -= msSince(Waits);
}

/// \p Jobs, and what the strategies want then: of what is built so far while others are built, of all
/// in the end. A variant that turns out wrong lets in those that only it kept off the set.
Error Tuner::measureBatches(RunnerClient &Client, std::vector<PlannedJob> Jobs, size_t &Missing,
                            size_t &Planned) {
  bool ChecksRest = checksRestBeside(), WantsAll = Options.Exhaustive || !Options.Variants.empty();
  for (;;) {
    if (!Jobs.empty())
      if (Error E = runJobs(Client, std::exchange(Jobs, {}), Missing))
        return E;
    bool AreAllChecked = settleDoneChecks();
    if (Limit->measuringOver(Final.expectedMs()))
      break;
    bool AreAllBuilt = !MeasuresBeside || takeBuilt();
    std::vector<size_t> Batch = AreAllBuilt || WantsAll ? Chooser->next(Report) : Chooser->early(Report);
    beginChecks(Batch);
    if (AreAllBuilt && std::exchange(ChecksRest, false))
      AreAllChecked &= beginRest().empty();
    if (Batch.empty() && AreAllBuilt) {
      if (AreAllChecked)
        break;
      settleChecks();
      continue;
    }
    if (Batch.empty())
      awaitMoreBuilt();
    else if (Error E = planBatch(Batch, Jobs))
      return E;
    Planned += Jobs.size();
  }
  settleChecks();
  return Error::success();
}

/// Runs those of \p Jobs that have to be right before anything else is launched, and leaves the others;
/// whether they are.
Expected<bool> Tuner::passGates(RunnerClient &Client, std::vector<PlannedJob> &Jobs, size_t &Missing) {
  auto Rest = std::stable_partition(Jobs.begin(), Jobs.end(), [](const PlannedJob &J) { return J.IsGate; });
  std::vector<PlannedJob> Gates(std::make_move_iterator(Jobs.begin()), std::make_move_iterator(Rest));
  Jobs.erase(Jobs.begin(), Rest);
  if (Error E = runJobs(Client, std::move(Gates), Missing))
    return std::move(E);
  return !GateFailed;
}

/// Which of \p Jobs is next: the first whose check is over, since others may take longer; ahead only the very
/// first, so that the order is the same. Nothing where none is over now, or by the end of the budget.
/// References, which nobody checks, come first.
std::optional<size_t> Tuner::firstCheckedOf(const std::deque<PlannedJob> &Jobs, RunnerClient::Ask How) {
  if (!Checks || !Jobs.front().Row)
    return 0;
  if (How == RunnerClient::Ask::Ahead)
    return Checks->awaitFirst(*Jobs.front().Row, Budget::Clock::now());
  std::vector<size_t> Rows;
  for (const PlannedJob &Job : Jobs)
    Rows.push_back(*Job.Row);
  return Checks->awaitFirst(Rows, Limit->end());
}

/// All of \p Jobs but those of variants that the CPU finds wrong; \p Missing counts what got no result for
/// another reason.
Error Tuner::runJobs(RunnerClient &Client, std::vector<PlannedJob> Jobs, size_t &Missing) {
  Missing += Jobs.size();
  Shown.begin(phaseName(Phase::Measure), Jobs.size());
  std::deque<PlannedJob> Waiting(std::make_move_iterator(Jobs.begin()), std::make_move_iterator(Jobs.end()));
  auto NextJob = [&](RunnerClient::Ask How) -> std::optional<protocol::Job> {
    RowChecks::Deadline Until = How == RunnerClient::Ask::Ahead ? Budget::Clock::now() : Limit->end();
    while (!Waiting.empty() && !(Limit->isBounded() && Limit->measuringOver(Final.expectedMs()))) {
      std::optional<size_t> Place = firstCheckedOf(Waiting, How);
      if (!Place)
        break;
      PlannedJob Next = std::move(Waiting[*Place]);
      Waiting.erase(Waiting.begin() + *Place); // Mostly near its beginning.
      if (!Next.Row || settleCheck(*Next.Row, Until)) {
        resolveFiles(Next.Work, CubinHome->path());
        return std::move(Next.Work);
      }
      Missing -= !Report.Variants[*Next.Row].canRun();
      Shown.step();
    }
    return std::nullopt;
  };
  Error Failure = Client.run(NextJob, [&](const protocol::Result &Result) {
    take(Result);
    --Missing;
    std::optional<size_t> Best = Report.winner();
    const VariantResult *Row = Best ? &Report.Variants[*Best] : nullptr;
    Shown.step(Row ? formatv("best {0:F3} ms  {1}", *Row->OnGpu.MedianMs, Row->text()).str() : "");
  });
  Shown.end();
  return Failure;
}

void Tuner::take(const protocol::Result &Result) {
  bool IsGate = Result.Id == stockJobId(Report) || Result.Id == referenceJobId(Report, author().Row.text());
  GateFailed |= IsGate && Result.Status != protocol::ResultStatus::Ok;
  if (!Result.Stored) {
    ++Report.Measuring->Jobs;
    Report.Measuring->GpuMs += Result.TimedMs;
    Report.Measuring->ReferencesOnHost =
        std::max(Report.Measuring->ReferencesOnHost, Result.ReferencesOnHost);
  }
  cantFail(joinResult(Report, Result)); // The ids are this report's.
  Final.note(Result);
}

/// Times the fastest again, together. One that fails now is marked, and the rest run again.
Error Tuner::runFinal(RunnerClient &Client) {
  while (std::optional<protocol::Job> Job = Final.next()) {
    resolveFiles(*Job, CubinHome->path());
    Shown.begin("final", 1);
    bool Answered = false;
    Error Failure = Client.run(*Job, [&](const protocol::Result &Result) {
      Answered = true;
      take(Final.settle(Result));
      Shown.step();
    });
    Shown.end();
    if (Failure)
      return Failure;
    if (Answered)
      continue;
    Report.Final.Problem = "the budget was used up";
    break;
  }
  return Error::success();
}

} // namespace gpuprune
