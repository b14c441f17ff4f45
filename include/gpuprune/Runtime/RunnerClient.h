//===- RunnerClient.h - Starting runners and giving them jobs -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A runner is a command line (gpuprune-runner, ssh host gpuprune-runner, ...).
// Several work side by side on one queue of jobs. One that dies or hangs is
// killed and started again; its job gets a result that says so and the rest
// goes on. One that works alone is given the next job while one runs, so that its
// GPU does not wait between them; that job's fate is its own.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_RUNNERCLIENT_H
#define GPUPRUNE_RUNTIME_RUNNERCLIENT_H

#include "gpuprune/Runtime/FastestTimes.h"
#include "gpuprune/Runtime/JobRunner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <deque>
#include <map>
#include <memory>

namespace gpuprune {

/// Where results of earlier runs are and those of this one go.
class ResultStore {
public:
  virtual ~ResultStore() = default;
  /// What is known of \p J already; asked just before it would be given to a runner,
  /// when its limits are set.
  virtual std::optional<protocol::Result> find(const protocol::Job &J) = 0;
  /// \p R has just arrived.
  virtual void keep(const protocol::Job &J, const protocol::Result &R) = 0;
};

struct RunnerOptions {
  /// One runner each; split at spaces as a shell does, with its quotes.
  std::vector<std::string> Commands;
  double JobTimeoutSeconds = 120;   ///< From the start of a job.
  double HelloTimeoutSeconds = 120; ///< From starting a runner to its hello: ssh and cuInit take their time.
  /// No job begins after this, and one that runs then is given up shortly after.
  std::optional<std::chrono::steady_clock::time_point> Deadline;
  ResultStore *Store = nullptr; ///< Outlives the client.
  bool InOrder = true; ///< Results in the order of the jobs; else as they come, which several runners change.
};

class RunnerClient : public JobRunner {
public:
  /// Starts all runners and waits until each has said hello, or failed to.
  /// Error (kind Runner, or Toolchain for a program that is not found): no runner said hello.
  /// Runners without a GPU do say hello: see hasGpu().
  static llvm::Expected<std::unique_ptr<RunnerClient>> start(RunnerOptions Options);
  /// The same in two halves: begin() starts the runners, which takes a driver a third of a second and more,
  /// and does not wait for them; awaitHellos() does, and has start()'s errors.
  static std::unique_ptr<RunnerClient> begin(RunnerOptions Options);
  llvm::Error awaitHellos();
  ~RunnerClient() override;
  RunnerClient(const RunnerClient &) = delete;

  /// From now on for another run, whose results are kept in \p Store, and which ends at \p Deadline.
  void serve(ResultStore *Store, std::optional<std::chrono::steady_clock::time_point> Deadline);

  /// Of the runners that said hello, in the order of their commands.
  std::vector<protocol::Hello> hellos() const;
  bool hasGpu() const;
  /// Why runners were left out at the start or given up later: "COMMAND: reason".
  const std::vector<std::string> &problems() const { return Problems; }

  /// Each job gets exactly one result, but for those that the deadline leaves out. Error (kind Runner): no
  /// usable runner is left; the jobs without a result have not been measured.
  llvm::Error run(NextJob Next, OnResult Take) override;
  using JobRunner::run;

private:
  class Runner;
  struct Assignment {
    size_t Index;
    protocol::Job Work;
    unsigned Deaths = 0;    ///< Runners that died before they started it.
    unsigned Misplaced = 0; ///< Runners whose driver did not give its buffers their addresses.
  };

  explicit RunnerClient(RunnerOptions Options);
  void assign(NextJob Next);
  void assignAhead(NextJob Next);
  std::optional<Assignment> take(NextJob Next, Ask How);
  std::optional<Assignment> takeRetry(Ask How);
  bool stopsAtDeadline();
  bool deadlinePassed() const;
  double secondsForAJob() const;
  int msToWait() const;
  void wait();
  void expire();
  void forgiveStop(int WaitedForMs);
  void finish(Assignment Done, protocol::Result R);
  void deliver(OnResult Take);
  void retire(Runner &R, const std::string &Reason);
  void handleLine(Runner &R, llvm::StringRef Line);
  void handleHello(Runner &R, llvm::StringRef Line);
  void handleAnswer(Runner &R, llvm::StringRef Line);
  void handleStarted(Runner &R, llvm::StringRef Id);
  void handleResult(Runner &R, protocol::Result Done);
  void giveUpOn(Runner &R, protocol::ResultStatus Status, std::string Message);
  std::string endProcess(Runner &R, int GraceMs);
  void handleDeath(Runner &R);
  bool anyBusy() const;
  bool anyUsable() const;
  bool anyStarting() const;

  RunnerOptions Options;
  std::vector<std::unique_ptr<Runner>> Runners;
  std::deque<Assignment> Retry;
  std::map<size_t, protocol::Result> Finished; ///< Not yet delivered, by index of the job.
  FastestTimes Fastest;                        ///< Of the results so far.
  size_t NextIndex = 0, NextDelivered = 0;
  bool Exhausted = false; ///< Next has no more jobs.
  bool AsksAgain = false; ///< Next had no job ahead, and may have one soon.
  std::vector<std::string> Problems;
  std::chrono::steady_clock::time_point Looked; ///< When what runners say was looked at last.
};

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_RUNNERCLIENT_H
