//===- RunnerClient.cpp - Starting runners and giving them jobs -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/RunnerClient.h"
#include "Runner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <poll.h>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

using State = RunnerState;

/// A runner that dies so often in a row without a hello is given up.
static constexpr unsigned MaxDeathsBeforeHello = 3;
/// A job is given again once when its runner died before it started it.
static constexpr unsigned MaxDeathsOfJob = 2;
/// So many runners are asked for the addresses of a job's buffers: each is laid out anew by the system.
static constexpr unsigned MostMisplaced = 4;
/// What a job gets that is running at the deadline.
static constexpr double DeadlineGraceSeconds = 2;
/// Whoever looks later by so much was stopped, or so busy that runners could not be heard.
static constexpr auto StopAfter = std::chrono::seconds(1);
/// What an idle or ending runner gets to leave by itself.
static constexpr int GraceMs = 2000;
/// When a job ahead is asked for again.
static constexpr auto AskAgainAfter = std::chrono::milliseconds(5);

RunnerClient::RunnerClient(RunnerOptions Opts) : Options(std::move(Opts)) {
  for (const std::string &Command : Options.Commands)
    Runners.push_back(std::make_unique<Runner>(Command));
}

RunnerClient::~RunnerClient() {
  for (auto &R : Runners)
    R->end(R->Is == State::Idle ? GraceMs : 0);
}

std::unique_ptr<RunnerClient> RunnerClient::begin(RunnerOptions Options) {
  std::unique_ptr<RunnerClient> Client(new RunnerClient(std::move(Options)));
  for (auto &R : Client->Runners)
    if (Error E = R->start(Client->Options.HelloTimeoutSeconds))
      Client->retire(*R, takeError(std::move(E)).Text);
  return Client;
}

Error RunnerClient::awaitHellos() {
  if (Runners.empty())
    return makeError(ErrorKind::Usage, "no runner is named; give a command line such as gpuprune-runner");
  // Whose program is not found has been retired already.
  ErrorKind Kind = anyUsable() ? ErrorKind::Runner : ErrorKind::Toolchain;
  while (anyStarting())
    wait();
  if (hellos().empty())
    return makeError(Kind, join(Problems, "\n"));
  return Error::success();
}

Expected<std::unique_ptr<RunnerClient>> RunnerClient::start(RunnerOptions Options) {
  std::unique_ptr<RunnerClient> Client = begin(std::move(Options));
  if (Error E = Client->awaitHellos())
    return E;
  return Client;
}

void RunnerClient::serve(ResultStore *Store, std::optional<std::chrono::steady_clock::time_point> Deadline) {
  Options.Store = Store;
  Options.Deadline = Deadline;
  Fastest = FastestTimes();
}

std::vector<Hello> RunnerClient::hellos() const {
  std::vector<Hello> All;
  for (const auto &R : Runners)
    if (R->Greeting)
      All.push_back(*R->Greeting);
  return All;
}

bool RunnerClient::hasGpu() const {
  return any_of(Runners, [](const auto &R) { return R->usable() && R->Greeting && R->Greeting->HasGpu; });
}

bool RunnerClient::anyBusy() const {
  return any_of(Runners, [](const auto &R) { return R->Is == State::Busy; });
}

bool RunnerClient::anyUsable() const {
  return any_of(Runners, [](const auto &R) { return R->usable(); });
}

bool RunnerClient::anyStarting() const {
  return any_of(Runners, [](const auto &R) { return R->Is == State::Starting; });
}

void RunnerClient::retire(Runner &R, const std::string &Reason) {
  R.end(/*GraceMs=*/0);
  R.Is = State::Retired;
  Problems.push_back(R.Command + ": " + Reason);
}

Error JobRunner::run(ArrayRef<Job> Jobs, OnResult Take) {
  auto Next = [&](Ask) -> std::optional<Job> {
    if (Jobs.empty())
      return std::nullopt;
    Job J = Jobs.front();
    Jobs = Jobs.drop_front();
    return J;
  };
  return run(NextJob(Next), Take);
}

Error RunnerClient::run(NextJob Next, OnResult Take) {
  Exhausted = false;
  NextIndex = NextDelivered = 0;
  Finished.clear();
  Retry.clear();
  Looked = {};
  while (true) {
    assign(Next);
    deliver(Take);
    if (Exhausted && Retry.empty() && !anyBusy()) {
      // Behind a gap that the deadline left.
      for (const auto &[Index, R] : Finished)
        Take(R);
      Finished.clear();
      return Error::success();
    }
    if (!anyUsable())
      return makeError(ErrorKind::Runner, "no runner is left:\n" + join(Problems, "\n"));
    wait();
  }
}

bool RunnerClient::deadlinePassed() const {
  return Options.Deadline && Runner::Clock::now() >= *Options.Deadline;
}

/// A job that is on its way at the deadline may end, if it is soon.
double RunnerClient::secondsForAJob() const {
  if (!Options.Deadline)
    return Options.JobTimeoutSeconds;
  double Left = std::chrono::duration<double>(*Options.Deadline - Runner::Clock::now()).count();
  return std::min(Options.JobTimeoutSeconds, std::max(Left, 0.0) + DeadlineGraceSeconds);
}

/// Whether no job may begin any more.
bool RunnerClient::stopsAtDeadline() {
  if (!deadlinePassed())
    return false;
  Exhausted = true;
  Retry.clear();
  return true;
}

/// What a runner died with is not sent ahead: the job that runs would be blamed for the next death.
std::optional<RunnerClient::Assignment> RunnerClient::takeRetry(Ask How) {
  if (How == Ask::Ahead && Retry.front().Deaths != 0)
    return std::nullopt;
  Assignment A = std::move(Retry.front());
  Retry.pop_front();
  return A;
}

std::optional<RunnerClient::Assignment> RunnerClient::take(NextJob Next, Ask How) {
  if (stopsAtDeadline())
    return std::nullopt;
  if (!Retry.empty())
    return takeRetry(How);
  while (!Exhausted) {
    std::optional<Job> J = Next(How);
    if (!J) {
      (How == Ask::Now ? Exhausted : AsksAgain) = true;
      break;
    }
    Assignment A{NextIndex++, std::move(*J)};
    Error E = validate(A.Work);
    if (!E) {
      Fastest.lowerLimits(A.Work);
      std::optional<Result> Known = Options.Store ? Options.Store->find(A.Work) : std::nullopt;
      if (!Known)
        return A;
      finish(std::move(A), std::move(*Known));
      continue;
    }
    Result R;
    R.Status = ResultStatus::Malformed;
    R.Message = toString(std::move(E));
    finish(std::move(A), std::move(R));
  }
  return std::nullopt;
}

void RunnerClient::assign(NextJob Next) {
  AsksAgain = false;
  if (stopsAtDeadline())
    return;
  for (auto &R : Runners)
    if (R->Is == State::Idle) {
      std::optional<Assignment> A = take(Next, Ask::Now);
      if (!A)
        return;
      Fastest.lowerLimits(A->Work);
      R->give(std::move(*A), secondsForAJob());
    }
  assignAhead(Next);
  // What is down is only started again when there may be work for it.
  if (Exhausted && Retry.empty())
    return;
  for (auto &R : Runners)
    if (R->Is == State::Down)
      if (Error E = R->start(Options.HelloTimeoutSeconds))
        retire(*R, takeError(std::move(E)).Text);
}

/// Answers name their jobs by ids.
static bool isAnswerTo(StringRef Id, const Job &J) { return Id == json::fixUTF8(J.Id); }

/// Only to a runner that works alone: behind a job that hangs, another one might have done it.
void RunnerClient::assignAhead(NextJob Next) {
  auto Alone = find_if(Runners, [](const auto &R) { return R->usable(); });
  if (Alone == Runners.end() ||
      any_of(make_range(std::next(Alone), Runners.end()), [](const auto &R) { return R->usable(); }))
    return;
  Runner &R = **Alone;
  // Before it begins, nobody knows that the runner takes jobs at all.
  if (R.Is != State::Busy || !R.CurrentStarted || R.Ahead)
    return;
  std::optional<Assignment> A = take(Next, Ask::Ahead);
  if (!A)
    return;
  Fastest.lowerLimits(A->Work);
  if (A->Work.Id == R.Current->Work.Id) // Their answers could not be told apart.
    Retry.push_front(std::move(*A));
  else
    R.giveAhead(std::move(*A));
}

void RunnerClient::finish(Assignment Done, Result R) {
  R.Id = Done.Work.Id;
  if (Options.Store && !R.Stored)
    Options.Store->keep(Done.Work, R);
  Fastest.note(Done.Work, R);
  Finished.emplace(Done.Index, std::move(R));
}

void RunnerClient::deliver(OnResult Take) {
  while (!Finished.empty()) {
    auto First = Finished.begin();
    if (Options.InOrder && First->first != NextDelivered)
      return;
    ++NextDelivered;
    Take(First->second);
    Finished.erase(First);
  }
}

/// Until a runner is late, or is to be asked for again; -1: there is no such time.
int RunnerClient::msToWait() const {
  auto Earliest = AsksAgain ? Runner::Clock::now() + AskAgainAfter : Runner::Clock::time_point::max();
  for (const auto &R : Runners)
    if (R->Is == State::Starting || R->Is == State::Busy)
      Earliest = std::min(Earliest, R->Deadline);
  if (Earliest == Runner::Clock::time_point::max())
    return -1;
  auto Left = std::chrono::ceil<std::chrono::milliseconds>(Earliest - Runner::Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(Left, 0, 1 << 30));
}

void RunnerClient::wait() {
  std::vector<pollfd> Polled;
  std::vector<Runner *> Owners;
  for (auto &R : Runners) {
    if (!R->hasProcess())
      continue;
    auto Add = [&](int Fd, short Events) {
      Polled.push_back({Fd, Events, 0});
      Owners.push_back(R.get());
    };
    Add(R->Process->output(), POLLIN);
    if (R->Process->errors() >= 0)
      Add(R->Process->errors(), POLLIN);
    if (R->wantsToWrite())
      Add(R->Process->input(), POLLOUT);
  }
  int ToWait = msToWait();
  int Ready = ::poll(Polled.data(), Polled.size(), ToWait);
  forgiveStop(ToWait);
  for (size_t I = 0; Ready > 0 && I != Polled.size(); ++I) {
    Runner &R = *Owners[I];
    // An earlier entry may have ended this runner's process.
    if (Polled[I].revents == 0 || !R.hasProcess())
      continue;
    if (Polled[I].events == POLLOUT)
      R.flush();
    else if (Polled[I].fd == R.Process->errors())
      R.readErrors();
    else if (!R.readOutput([&](StringRef Line) { handleLine(R, Line); }))
      handleDeath(R);
  }
  expire();
}

/// A process that was stopped (Ctrl-Z, a suspended machine) has its runners stopped with it, most often: from
/// when it looks again they have what they had left when it looked last.
void RunnerClient::forgiveStop(int WaitedForMs) {
  auto Now = Runner::Clock::now(), Before = std::exchange(Looked, Now);
  if (Before == Runner::Clock::time_point() || WaitedForMs < 0)
    return;
  auto Late = Now - Before - std::chrono::milliseconds(WaitedForMs);
  if (Late < StopAfter)
    return;
  for (auto &R : Runners)
    if (R->Is == State::Starting || R->Is == State::Busy)
      R->Deadline += Now - Before;
}

void RunnerClient::expire() {
  auto Now = Runner::Clock::now();
  for (auto &R : Runners) {
    if (Now < R->Deadline)
      continue;
    if (R->Is == State::Starting) {
      retire(*R, formatv("no hello within {0:f1} s", Options.HelloTimeoutSeconds));
      continue;
    }
    if (R->Is != State::Busy)
      continue;
    if (deadlinePassed())
      giveUpOn(*R, ResultStatus::Error, "it was still running when the time for the whole run was over");
    else
      giveUpOn(*R, ResultStatus::Timeout,
               formatv("no result within {0:f1} s; the runner was killed", Options.JobTimeoutSeconds));
  }
}

void RunnerClient::handleLine(Runner &R, StringRef Line) {
  if (Line.trim().empty())
    return;
  if (R.Is == State::Starting)
    return handleHello(R, Line);
  if (R.Is == State::Busy)
    return handleAnswer(R, Line);
}

void RunnerClient::handleHello(Runner &R, StringRef Line) {
  // ssh and batch systems may greet as well; only a line of the protocol counts.
  if (!Line.starts_with("{"))
    return;
  Expected<Hello> H = parseHello(Line);
  if (!H)
    return retire(R, "instead of a hello: " + toString(H.takeError()));
  if (H->Protocol != ProtocolVersion)
    return retire(R,
                  formatv("it speaks protocol {0}, this program {1}; install the same version on both sides",
                          H->Protocol, ProtocolVersion));
  R.Greeting = *H;
  R.DeathsBeforeHello = 0;
  if (!H->HasGpu)
    return retire(R, "no GPU (" + H->Problem + "): " + H->Message);
  R.Is = State::Idle;
  R.Deadline = Runner::Clock::time_point::max();
}

void RunnerClient::handleAnswer(Runner &R, StringRef Line) {
  Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed) {
    // Not a line of the protocol: a kernel or a library printed it.
    consumeError(Parsed.takeError());
    return;
  }
  if (const json::Object *O = Parsed->getAsObject(); O && O->get("event"))
    return handleStarted(R, O->getString("id").value_or(""));
  Expected<Result> Done = parseResult(Line);
  if (!Done)
    return giveUpOn(R, ResultStatus::Error,
                    "the runner's answer was not understood: " + toString(Done.takeError()));
  handleResult(R, std::move(*Done));
}

void RunnerClient::handleStarted(Runner &R, StringRef Id) {
  if (R.CurrentStarted || !isAnswerTo(Id, R.Current->Work))
    return giveUpOn(R, ResultStatus::Error, formatv("the runner began the job '{0}' instead", Id));
  R.CurrentStarted = true;
  R.setTimeout(secondsForAJob());
}

void RunnerClient::handleResult(Runner &R, Result Done) {
  // Answers come in the order of the jobs, and who has not begun a job may not have read its id.
  bool IsUnread = Done.Status == ResultStatus::Malformed && Done.Id.empty() && !R.CurrentStarted;
  if (!IsUnread && !isAnswerTo(Done.Id, R.Current->Work))
    return giveUpOn(R, ResultStatus::Error,
                    formatv("the runner answered for the job '{0}' instead", Done.Id));
  if (Done.Status == ResultStatus::Address && ++R.Current->Misplaced < MostMisplaced) {
    Assignment Again = std::move(*std::exchange(R.Current, std::nullopt));
    endProcess(R, GraceMs);
    Retry.push_front(std::move(Again)); // Before what was sent ahead.
    return;
  }
  bool Ends = Done.RunnerEnds;
  finish(std::move(*R.Current), std::move(Done));
  R.Current.reset();
  if (Ends) {
    endProcess(R, GraceMs);
    return;
  }
  // What was sent ahead may be running already, but not begun in time.
  if (R.Ahead && deadlinePassed()) {
    endProcess(R, /*GraceMs=*/0);
    return;
  }
  R.advance(secondsForAJob());
}

/// Ends the runner, and with it the job that it runs.
void RunnerClient::giveUpOn(Runner &R, ResultStatus Status, std::string Message) {
  Result Lost;
  Lost.Status = Status;
  Lost.Message = std::move(Message);
  finish(std::move(*R.Current), std::move(Lost));
  R.Current.reset();
  endProcess(R, /*GraceMs=*/0);
}

/// What was sent ahead is not at fault, and is given again.
std::string RunnerClient::endProcess(Runner &R, int GraceMs) {
  if (R.Ahead)
    Retry.push_front(*std::exchange(R.Ahead, std::nullopt));
  R.CurrentStarted = false;
  return R.end(GraceMs);
}

void RunnerClient::handleDeath(Runner &R) {
  bool Greeted = R.Is != State::Starting;
  bool Started = R.CurrentStarted;
  std::optional<Assignment> Lost = std::exchange(R.Current, std::nullopt);
  std::string How = endProcess(R, GraceMs);
  if (!Greeted && ++R.DeathsBeforeHello == MaxDeathsBeforeHello)
    return retire(R, "it ended before its hello, " + How);
  if (!Greeted && !R.Greeting)
    return retire(R, "it ended before its hello, " + How);
  if (!Lost)
    return;
  if (!Started && ++Lost->Deaths < MaxDeathsOfJob) {
    Retry.push_front(std::move(*Lost)); // Before what was sent ahead.
    return;
  }
  Result Dead;
  Dead.Status = Started ? ResultStatus::Fault : ResultStatus::Error;
  Dead.Message = Started ? "the runner died while it ran the job, " + How
                         : "two runners died before they started the job, the last with " + How;
  finish(std::move(*Lost), std::move(Dead));
}

} // namespace gpuprune
