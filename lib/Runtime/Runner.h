//===- Runner.h - A runner as its client sees it --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_RUNNER_H
#define GPUPRUNE_LIB_RUNTIME_RUNNER_H

#include "ChildProcess.h"
#include "LineIO.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include <chrono>

namespace gpuprune {

enum class RunnerState {
  Down,     ///< No process; started again when there is work.
  Starting, ///< Has not said hello.
  Idle,
  Busy,    ///< Has Current, and maybe Ahead.
  Retired, ///< Not used any more.
};

/// One command line and the process it has at the moment.
class RunnerClient::Runner {
public:
  using Clock = std::chrono::steady_clock;
  explicit Runner(std::string Command) : Command(std::move(Command)) {}

  /// Down to Starting. Error: kind Toolchain.
  llvm::Error start(double HelloTimeoutSeconds);
  /// Idle to Busy.
  void give(Assignment Work, double TimeoutSeconds);
  /// Sends what comes after Current.
  void giveAhead(Assignment Work);
  /// Ahead becomes Current, if there is any; else to Idle.
  void advance(double TimeoutSeconds);
  /// Sends what the child takes now.
  void flush();
  /// Reads what there is, calling \p OnLine for each line. False at the end of the output.
  bool readOutput(llvm::function_ref<void(llvm::StringRef)> OnLine);
  void readErrors();
  /// To Down; returns how the process ended and what it last said on its standard error.
  std::string end(int GraceMs);
  void setTimeout(double Seconds);
  bool hasProcess() const { return Process != nullptr; }
  bool wantsToWrite() const { return !Unsent.empty(); }
  bool usable() const { return Is != RunnerState::Retired; }

  std::string Command;
  RunnerState Is = RunnerState::Down;
  std::unique_ptr<ChildProcess> Process;
  std::optional<protocol::Hello> Greeting;
  std::optional<Assignment> Current;
  std::optional<Assignment> Ahead; ///< Sent already; its time has not begun.
  bool CurrentStarted = false;
  Clock::time_point Deadline = Clock::time_point::max();
  unsigned DeathsBeforeHello = 0; ///< In a row.

private:
  void send(llvm::StringRef Text);

  LineSplitter Lines;
  std::string Unsent;
  std::string LastErrors; ///< The end of what came on standard error.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_RUNNER_H
