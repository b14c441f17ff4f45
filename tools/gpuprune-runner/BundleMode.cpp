//===- BundleMode.cpp - Measuring a bundle --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundleMode.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Runtime/FinalRounds.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

namespace {

/// Lines of "done/total, rate, best": rewritten on a terminal, else one every few seconds.
class Progress {
public:
  explicit Progress(size_t Total) : Total(Total), Terminal(::isatty(STDERR_FILENO)), Start(Clock::now()) {}

  void add(const Result &R) {
    ++Done;
    if (R.Status == ResultStatus::Ok && R.MedianMs && (!BestMs || *R.MedianMs < *BestMs)) {
      BestMs = R.MedianMs;
      BestId = R.Id;
    }
    Failed += R.Status != ResultStatus::Ok && R.Status != ResultStatus::Slow;
    print(Done == Total);
  }

private:
  using Clock = std::chrono::steady_clock;

  void print(bool Last) {
    auto Now = Clock::now();
    auto Interval = Terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(5);
    if (!Last && Now - Printed < Interval)
      return;
    Printed = Now;
    double Seconds = std::chrono::duration<double>(Now - Start).count();
    raw_ostream &OS = errs();
    OS << (Terminal ? "\r\033[K" : "") << "measure " << Done << "/" << Total
       << format(", %.1f a second", Done / std::max(Seconds, 1e-3));
    if (Failed)
      OS << ", " << Failed << " failed";
    if (BestMs)
      OS << format(", best %.4f ms ", *BestMs) << BestId;
    OS << (Terminal && !Last ? "" : "\n");
    OS.flush();
  }

  size_t Total, Done = 0, Failed = 0;
  bool Terminal;
  Clock::time_point Start, Printed;
  std::optional<double> BestMs;
  std::string BestId;
};

/// Lines that are on disk, or with their reader, as soon as they are written.
class LineOutput {
public:
  Error open(const std::string &Name) {
    this->Name = Name == "-" ? "standard output" : "'" + Name + "'";
    std::error_code Failed;
    Stream = std::make_unique<raw_fd_ostream>(Name, Failed);
    return check(Failed);
  }
  /// Whether something was lost already: what follows would be, too.
  bool failed() const { return Stream->has_error(); }
  void write(StringRef Line) {
    *Stream << Line;
    Stream->flush();
  }
  Error close() {
    std::error_code Failed = Stream->error();
    Stream->clear_error();
    return check(Failed);
  }

private:
  Error check(std::error_code Failed) const {
    return Failed ? makeError(ErrorKind::Io, "cannot write " + Name + ": " + Failed.message() +
                                                 "; --output=FILE writes elsewhere")
                  : Error::success();
  }

  std::string Name;
  std::unique_ptr<raw_fd_ostream> Stream;
};

/// The bundle with only the jobs that are asked for, cubins found.
Expected<Bundle> selectJobs(const BundleModeOptions &Options) {
  Expected<Bundle> Plan = readBundle(Options.Directory);
  if (!Plan)
    return Plan.takeError();
  SmallString<256> Directory(Options.Directory);
  if (std::error_code Failed = sys::fs::make_absolute(Directory))
    return makeError(ErrorKind::Io, Options.Directory + ": " + Failed.message());
  size_t Planned = Plan->Jobs.size();
  erase_if(Plan->Jobs, [&](const Job &J) { return J.Id.find(Options.Only) == std::string::npos; });
  if (Plan->Jobs.empty())
    return makeError(ErrorKind::Usage,
                     formatv("{0}: {1} \"{2}\" in its id", Options.Directory,
                             Planned == 1 ? "the only job does not have"
                                          : formatv("none of the {0} jobs has", Planned).str(),
                             Options.Only));
  if (Error E = checkCubins(*Plan, Options.Directory))
    return std::move(E);
  for (Job &J : Plan->Jobs)
    resolveFiles(J, Directory);
  return Plan;
}

/// What the bundle asks for; a bundle without a final has none.
Expected<FinalRounds> finalOf(const Bundle &Plan, StringRef Directory) {
  FinalPlan Final;
  Final.Rounds = 0;
  json::Path::Root Root("final");
  const json::Value *Asked = Plan.Header.get("final");
  if (Asked && !fromJSON(*Asked, Final, Root))
    return makeError(ErrorKind::Input,
                     formatv("{0}: the bundle's header: {1}", Directory, toString(Root.getError())));
  FinalRounds Rounds(std::move(Final));
  for (const Job &J : Plan.Jobs)
    Rounds.add(J);
  return Rounds;
}

/// How many jobs have to be right before any other is run: those that the header's "gates" names, which are
/// moved to the front. None where --only leaves them out.
size_t gatesFirst(Bundle &Plan) {
  const json::Array *Named = Plan.Header.getArray("gates");
  if (!Named)
    return 0;
  auto Others = std::stable_partition(Plan.Jobs.begin(), Plan.Jobs.end(), [&](const Job &J) {
    return any_of(*Named, [&](const json::Value &Id) { return Id.getAsString() == StringRef(J.Id); });
  });
  return Others - Plan.Jobs.begin();
}

RunnerOptions runnersFor(const BundleModeOptions &Options) {
  RunnerOptions Runners;
  Runners.Commands = Options.Workers;
  Runners.JobTimeoutSeconds = Options.TimeoutSeconds;
  Runners.InOrder = false;
  if (Options.BudgetSeconds)
    Runners.Deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                               std::chrono::duration<double>(*Options.BudgetSeconds));
  return Runners;
}

/// The jobs of a bundle on their way to the runners, their answers on the way to the output.
class BundleRun {
public:
  BundleRun(Bundle &Plan, FinalRounds &Final, RunnerClient &Client, LineOutput &Out)
      : Plan(Plan), Final(Final), Client(Client), Out(Out), Missing(Plan.Jobs.size()),
        Shown(Plan.Jobs.size()) {}

  /// The gates first, and no more where they fail; then what is left, then the final rounds.
  Error all() {
    if (Error E = runUntil(gatesFirst(Plan)))
      return E;
    if (!AllOk) {
      errs() << "gpuprune-runner: the kernel as its author launches it is not right or cannot be run; "
                "nothing else was launched\n";
      return Error::success();
    }
    if (Error E = runUntil(Plan.Jobs.size()))
      return E;
    if (Error E = runFinal())
      return E;
    if (Missing && !Out.failed())
      errs() << "gpuprune-runner: the budget is used up; " << Missing << " of " << Plan.Jobs.size()
             << " jobs were not run\n";
    return Error::success();
  }

  bool allOk() const { return AllOk; }

private:
  void take(const Result &R) {
    Out.write(toLine(R));
    AllOk &= R.Status == ResultStatus::Ok || R.Status == ResultStatus::Slow;
    Final.note(R);
  }

  Error runUntil(size_t End) {
    auto Next = [&, End](RunnerClient::Ask) -> std::optional<Job> {
      if (Out.failed() || At == End)
        return std::nullopt;
      return Plan.Jobs[At++];
    };
    return Client.run(RunnerClient::NextJob(Next), [&](const Result &R) {
      take(R);
      --Missing;
      Shown.add(R);
    });
  }

  Error runFinal() {
    while (!Out.failed()) {
      std::optional<Job> J = Final.next();
      if (!J)
        break;
      bool Answered = false;
      if (Error E = Client.run(*J, [&](const Result &R) {
            Answered = true;
            take(Final.settle(R));
          }))
        return E;
      if (!Answered)
        break;
    }
    return Error::success();
  }

  Bundle &Plan;
  FinalRounds &Final;
  RunnerClient &Client;
  LineOutput &Out;
  size_t Missing, At = 0;
  Progress Shown;
  bool AllOk = true;
};

} // namespace

Expected<BundleEnd> runBundle(const BundleModeOptions &Options) {
  Expected<Bundle> Plan = selectJobs(Options);
  if (!Plan)
    return Plan.takeError();
  Expected<FinalRounds> Final = finalOf(*Plan, Options.Directory);
  if (!Final)
    return Final.takeError();
  Expected<std::unique_ptr<RunnerClient>> Client = RunnerClient::start(runnersFor(Options));
  if (!Client)
    return Client.takeError();
  LineOutput Out;
  if (Error E = Out.open(Options.Output))
    return E;
  Out.write(toLine((*Client)->hellos().front()));
  if (!(*Client)->hasGpu()) {
    errs() << "gpuprune-runner: nothing was measured: " << join((*Client)->problems(), "\n") << '\n';
    if (Error E = Out.close())
      return E;
    return BundleEnd::NoGpu;
  }
  BundleRun Run(*Plan, *Final, **Client, Out);
  Error Ran = Run.all();
  if (Error E = joinErrors(std::move(Ran), Out.close()))
    return E;
  return Run.allOk() ? BundleEnd::AllOk : BundleEnd::SomeFailed;
}

} // namespace gpuprune
