//===- JobServer.cpp - The measuring process ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/JobServer.h"
#include "JobExecutor.h"
#include "LineIO.h"
#include "gpuprune/Runtime/FastestTimes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/TimeProfiler.h"
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <variant>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

namespace {

/// What a runner whose client is gone has to finish what it is at.
constexpr auto TimeToLeave = std::chrono::milliseconds(50);

/// The id of a line that is no valid job, where it can be told.
std::string idOf(StringRef Line) {
  Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return "";
  }
  const json::Object *O = Parsed->getAsObject();
  return O ? O->getString("id").value_or("").str() : "";
}

Result malformed(StringRef Line, Error E) {
  Result R;
  R.Id = idOf(Line);
  R.Status = ResultStatus::Malformed;
  R.Message = toString(std::move(E));
  return R;
}

/// A job, or the answer to a line that is none.
using Request = std::variant<Job, Result>;

Request readRequest(StringRef Line) {
  TimeTraceScope Scope("read job");
  Expected<Job> J = parseJob(Line);
  if (!J)
    return malformed(Line, J.takeError());
  return std::move(*J);
}

/// Reads lines on a thread of its own, so that a client that is gone is noticed while a kernel hangs, and the
/// next job is understood while one runs.
class InputQueue {
public:
  explicit InputQueue(std::function<void()> OnHangup) : OnHangup(std::move(OnHangup)) {}

  static std::shared_ptr<InputQueue> start(int Input, std::function<void()> OnHangup) {
    auto Queue = std::make_shared<InputQueue>(std::move(OnHangup));
    // Nothing wakes a blocked read, so the thread is left behind at the end and shares what it uses.
    std::thread([Queue, Input] { Queue->readAll(Input); }).detach();
    return Queue;
  }

  /// Waits for a line; nothing at the end of the input.
  std::optional<Request> next() {
    std::optional<Waiting> Next = take();
    if (!Next)
      return std::nullopt;
    if (auto *Line = std::get_if<std::string>(&*Next))
      return readRequest(*Line);
    return std::get<Request>(std::move(*Next));
  }

  /// To be called before the process ends: nothing is read any more that could use what is destroyed then.
  void stop() {
    std::lock_guard Lock(Reading);
    Stopped = true;
  }

private:
  /// Only the first that waits is read ahead, since requests take more memory than their lines: JSON a
  /// thousand times as much. What a longer one needs, it takes in its own time.
  static constexpr size_t LongestAhead = size_t(128) << 10;
  using Waiting = std::variant<std::string, Request>;

  std::optional<Waiting> take() {
    TimeTraceScope Scope("wait for a job");
    std::unique_lock Lock(Mutex);
    Idle = true;
    Changed.notify_all();
    Changed.wait(Lock, [&] { return Ended || !Queue.empty(); });
    if (Queue.empty())
      return std::nullopt;
    Idle = false;
    Waiting First = std::move(Queue.front());
    Queue.pop_front();
    return First;
  }

  void readAll(int Input) {
    LineSplitter Splitter;
    bool Discarding = false;
    std::vector<char> Chunk(size_t(1) << 16);
    while (true) {
      ssize_t Read = ::read(Input, Chunk.data(), Chunk.size());
      if (Read < 0 && errno == EINTR)
        continue;
      if (Read <= 0)
        break;
      Splitter.append(StringRef(Chunk.data(), Read));
      while (auto Line = Splitter.next()) {
        if (!std::exchange(Discarding, false))
          add(std::move(*Line));
      }
      if (!Splitter.tooLong())
        continue;
      // Too long to be a job: its beginning is answered as such, the rest dropped.
      if (!std::exchange(Discarding, true))
        add("a line of more than " + std::to_string(MaxLineBytes) + " bytes");
      Splitter.clear();
    }
    if (!Splitter.rest().empty() && !Discarding)
      add(Splitter.rest().str());
    finish();
  }

  void add(std::string Line) {
    std::lock_guard Lock(Reading);
    if (Stopped)
      return;
    if (isExitOnHangup(Line)) {
      ExitOnHangup = true;
      return;
    }
    if (StringRef(Line).trim().empty())
      return;
    bool IsAhead = Line.size() <= LongestAhead && isFirst();
    push(IsAhead ? Waiting(readRequest(Line)) : Waiting(std::move(Line)));
  }

  bool isFirst() {
    std::lock_guard Lock(Mutex);
    return Queue.empty();
  }

  void push(Waiting Each) {
    std::lock_guard Lock(Mutex);
    Queue.push_back(std::move(Each));
    Changed.notify_all();
  }

  static bool isExitOnHangup(StringRef Line) {
    if (!Line.starts_with("{\"control\""))
      return false;
    Expected<json::Value> Parsed = parseJson(Line);
    if (!Parsed) {
      consumeError(Parsed.takeError());
      return false;
    }
    const json::Object *O = Parsed->getAsObject();
    return O && O->getString("control") == "exit-on-hangup";
  }

  void finish() {
    std::unique_lock Lock(Mutex);
    Ended = true;
    Changed.notify_all();
    if (!ExitOnHangup || !OnHangup)
      return;
    Queue.clear(); // Nobody reads their results.
    // Who waits for a job ends by itself, and who has just answered the last one is about to.
    if (!Changed.wait_for(Lock, TimeToLeave, [&] { return Idle; }))
      OnHangup();
  }

  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<Waiting> Queue;
  std::mutex Reading; ///< Held while a line is read; before Mutex.
  bool Stopped = false;
  bool Ended = false;
  bool Idle = false;         ///< Waits for a line, or has seen the end.
  bool ExitOnHangup = false; ///< Only the reading thread's.
  std::function<void()> OnHangup;
};

std::string startedLine(const Job &J) {
  std::string Line;
  raw_string_ostream(Line) << json::Value(json::Object{{"event", "started"}, {"id", J.Id}}) << '\n';
  return Line;
}

Hello helloWithout(Error E) {
  Hello H;
  handleAllErrors(
      std::move(E),
      [&](const NoGpuError &Reason) {
        H.Problem = gpuProblemName(Reason.problem());
        H.Message = Reason.text();
      },
      [&](const ErrorInfoBase &Other) {
        H.Problem = gpuProblemName(GpuProblem::Driver);
        H.Message = Other.message();
      });
  return H;
}

bool answer(int Output, StringRef Line) {
  TimeTraceScope Scope("answer");
  return writeAll(Output, Line);
}

JobServerEnd serve(InputQueue &Input, int Output, JobExecutor &Executor) {
  FastestTimes Fastest;
  while (std::optional<Request> Next = Input.next()) {
    if (auto *Malformed = std::get_if<Result>(&*Next)) {
      if (!answer(Output, toLine(*Malformed)))
        return JobServerEnd::OutputLost;
      continue;
    }
    Job *J = std::get_if<Job>(&*Next);
    if (!answer(Output, startedLine(*J)))
      return JobServerEnd::OutputLost;
    // The client may have sent it before it had the results of the jobs before.
    Fastest.lowerLimits(*J);
    Result R = Executor.execute(*J);
    Fastest.note(*J, R);
    if (!answer(Output, toLine(R)))
      return JobServerEnd::OutputLost;
    if (R.RunnerEnds)
      return JobServerEnd::ContextLost;
  }
  return JobServerEnd::Finished;
}

} // namespace

namespace {

/// Notes where the time goes, and writes it to a file at the end.
class TimeTrace {
public:
  explicit TimeTrace(StringRef File) : File(File) {
    if (!File.empty())
      timeTraceProfilerInitialize(/*TimeTraceGranularity=*/1, "gpuprune-runner");
  }
  ~TimeTrace() {
    if (File.empty())
      return;
    if (Error E = timeTraceProfilerWrite(File, "-"))
      errs() << "gpuprune-runner: " << toString(std::move(E)) << '\n';
    timeTraceProfilerCleanup();
  }

private:
  std::string File;
};

} // namespace

static Expected<std::unique_ptr<Gpu>> openGpu(const JobServerOptions &Options) {
  TimeTraceScope Scope("open driver");
  return Gpu::open(Options.DriverPath, Options.Device);
}

JobServerEnd serveJobs(const JobServerOptions &Options, int Input, int Output) {
  TimeTrace Trace(Options.TraceFile);
  std::shared_ptr<InputQueue> Queue = InputQueue::start(Input, Options.OnHangup);
  scope_exit Stop([&] { Queue->stop(); });
  // Both libraries take their time to begin.
  std::future<std::unique_ptr<ClockReader>> OpenClock =
      std::async(std::launch::async, [&] { return ClockReader::open(Options.NvmlPath); });
  Expected<std::unique_ptr<Gpu>> G = openGpu(Options);
  Hello H = G ? (*G)->description() : helloWithout(G.takeError());
  H.Version = Options.Version;
  std::optional<DeviceKernels> Kernels;
  if (G) {
    TimeTraceScope Scope("load own kernels");
    H.SharedUnfilled = Kernels.emplace(**G).problem();
  }
  if (!writeAll(Output, toLine(H)))
    return JobServerEnd::OutputLost;
  if (!H.HasGpu)
    return JobServerEnd::NoGpu;
  std::unique_ptr<ClockReader> Clock = OpenClock.get();
  if (Clock && !Clock->find((*G)->pciBusId()))
    Clock.reset();
  JobExecutor Executor(**G, *Kernels, Options.BaseDirectory, Options.CacheBytes, Clock.get());
  return serve(*Queue, Output, Executor);
}

} // namespace gpuprune
