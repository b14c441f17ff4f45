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
/// What a job gets that is running at the deadline.
static constexpr double DeadlineGraceSeconds = 2;
/// What an idle or ending runner gets to leave by itself.
static constexpr int GraceMs = 2000;

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

Error RunnerClient::run(ArrayRef<Job> Jobs, OnResult Take) {
  auto Next = [&]() -> std::optional<Job> {
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

std::optional<RunnerClient::Assignment> RunnerClient::take(NextJob Next) {
  if (deadlinePassed()) {
    Exhausted = true;
    Retry.clear();
    return std::nullopt;
  }
  if (!Retry.empty()) {
    Assignment A = std::move(Retry.front());
    Retry.pop_front();
    return A;
  }
  while (!Exhausted) {
    std::optional<Job> J = Next();
    if (!J) {
      Exhausted = true;
      break;
    }
    Assignment A{NextIndex++, std::move(*J)};
    Error E = validate(A.Work);
    if (!E) {
      applyFastest(A.Work);
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

/// What is far slower than the fastest so far need not be timed to the end.
void RunnerClient::applyFastest(Job &J) const {
  if (!J.Timing)
    return;
  auto Lower = [&](const std::map<std::string, double> &Fastest, const std::optional<double> &Factor,
                   std::optional<double> &Ms) {
    auto Found = Fastest.find(J.Timing->Problem);
    if (!Factor || Found == Fastest.end())
      return;
    double Limit = *Factor * Found->second;
    Ms = std::min(Ms.value_or(Limit), Limit);
  };
  Lower(FastestMs, J.Timing->Watchdog, J.Timing->LimitMs);
  Lower(FastestOfContestsMs, J.Timing->ClearlySlower, J.Timing->ClearlySlowerMs);
}

void RunnerClient::assign(NextJob Next) {
  for (auto &R : Runners)
    if (R->Is == State::Idle) {
      std::optional<Assignment> A = take(Next);
      if (!A)
        return;
      applyFastest(A->Work);
      R->give(std::move(*A), secondsForAJob());
    }
  // What is down is only started again when there may be work for it.
  if (Exhausted && Retry.empty())
    return;
  for (auto &R : Runners)
    if (R->Is == State::Down)
      if (Error E = R->start(Options.HelloTimeoutSeconds))
        retire(*R, takeError(std::move(E)).Text);
}

void RunnerClient::finish(Assignment Done, Result R) {
  R.Id = Done.Work.Id;
  if (Options.Store && !R.Stored)
    Options.Store->keep(Done.Work, R);
  if (R.Status == ResultStatus::Ok && R.MedianMs && Done.Work.Timing) {
    auto Note = [&](std::map<std::string, double> &Fastest) {
      auto [Known, IsFirst] = Fastest.try_emplace(Done.Work.Timing->Problem, *R.MedianMs);
      Known->second = std::min(Known->second, *R.MedianMs);
    };
    Note(FastestMs);
    if (!Done.Work.Timing->Contests.empty())
      Note(FastestOfContestsMs);
  }
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

void RunnerClient::wait() {
  std::vector<pollfd> Polled;
  std::vector<Runner *> Owners;
  auto Earliest = Runner::Clock::time_point::max();
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
    if (R->Is == State::Starting || R->Is == State::Busy)
      Earliest = std::min(Earliest, R->Deadline);
  }
  int TimeoutMs = -1;
  if (Earliest != Runner::Clock::time_point::max()) {
    auto Left = std::chrono::ceil<std::chrono::milliseconds>(Earliest - Runner::Clock::now()).count();
    TimeoutMs = static_cast<int>(std::clamp<int64_t>(Left, 0, 1 << 30));
  }
  int Ready = ::poll(Polled.data(), Polled.size(), TimeoutMs);
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
    Result Late;
    Late.Status = ResultStatus::Timeout;
    Late.Message = formatv("no result within {0:f1} s; the runner was killed", Options.JobTimeoutSeconds);
    if (deadlinePassed()) {
      Late.Status = ResultStatus::Error;
      Late.Message = "it was still running when the time for the whole run was over";
    }
    finish(std::move(*R->Current), std::move(Late));
    R->Current.reset();
    R->end(/*GraceMs=*/0);
  }
}

void RunnerClient::handleLine(Runner &R, StringRef Line) {
  if (Line.trim().empty())
    return;
  if (R.Is == State::Starting)
    return handleHello(R, Line);
  if (R.Is == State::Busy)
    return handleResult(R, Line);
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

void RunnerClient::handleResult(Runner &R, StringRef Line) {
  Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed) {
    // Not a line of the protocol: a kernel or a library printed it.
    consumeError(Parsed.takeError());
    return;
  }
  if (const json::Object *O = Parsed->getAsObject(); O && O->get("event")) {
    R.CurrentStarted = true;
    R.setTimeout(secondsForAJob());
    return;
  }
  Expected<Result> Done = parseResult(Line);
  if (!Done) {
    Result Bad;
    Bad.Status = ResultStatus::Error;
    Bad.Message = "the runner's answer was not understood: " + toString(Done.takeError());
    finish(std::move(*R.Current), std::move(Bad));
    R.Current.reset();
    R.end(/*GraceMs=*/0);
    return;
  }
  bool Ends = Done->RunnerEnds;
  finish(std::move(*R.Current), std::move(*Done));
  R.Current.reset();
  R.Is = State::Idle;
  R.Deadline = Runner::Clock::time_point::max();
  if (Ends)
    R.end(GraceMs);
}

void RunnerClient::handleDeath(Runner &R) {
  bool Greeted = R.Is != State::Starting;
  bool Started = std::exchange(R.CurrentStarted, false);
  std::optional<Assignment> Lost = std::exchange(R.Current, std::nullopt);
  std::string How = R.end(GraceMs);
  if (!Greeted && ++R.DeathsBeforeHello == MaxDeathsBeforeHello)
    return retire(R, "it ended before its hello, " + How);
  if (!Greeted && !R.Greeting)
    return retire(R, "it ended before its hello, " + How);
  if (!Lost)
    return;
  if (!Started && ++Lost->Deaths < MaxDeathsOfJob) {
    Retry.push_back(std::move(*Lost));
    return;
  }
  Result Dead;
  Dead.Status = Started ? ResultStatus::Fault : ResultStatus::Error;
  Dead.Message = Started ? "the runner died while it ran the job, " + How
                         : "two runners died before they started the job, the last with " + How;
  finish(std::move(*Lost), std::move(Dead));
}

} // namespace gpuprune
