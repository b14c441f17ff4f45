//===- Runner.cpp - A runner as its client sees it ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Runner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include <cerrno>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Of a dead runner's standard error, as much is repeated in messages.
static constexpr size_t KeptErrorBytes = 2000;

static std::vector<std::string> splitCommand(StringRef Command) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return {Words.begin(), Words.end()};
}

Error RunnerClient::Runner::start(double HelloTimeoutSeconds) {
  Expected<std::unique_ptr<ChildProcess>> Child = ChildProcess::spawn(splitCommand(Command));
  if (!Child)
    return Child.takeError();
  Process = std::move(*Child);
  Lines.clear();
  Unsent.clear();
  LastErrors.clear();
  Is = RunnerState::Starting;
  setTimeout(HelloTimeoutSeconds);
  // However this process ends, the runner's input is closed then; it must not go on alone.
  send("{\"control\":\"exit-on-hangup\"}\n");
  return Error::success();
}

void RunnerClient::Runner::setTimeout(double Seconds) {
  Deadline = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
}

void RunnerClient::Runner::give(Assignment Work, double TimeoutSeconds) {
  Is = RunnerState::Busy;
  CurrentStarted = false;
  setTimeout(TimeoutSeconds);
  Current = std::move(Work);
  send(toLine(Current->Work));
}

void RunnerClient::Runner::giveAhead(Assignment Work) {
  Ahead = std::move(Work);
  send(toLine(Ahead->Work));
}

void RunnerClient::Runner::advance(double TimeoutSeconds) {
  CurrentStarted = false;
  Current = std::exchange(Ahead, std::nullopt);
  if (Current)
    return setTimeout(TimeoutSeconds);
  Is = RunnerState::Idle;
  Deadline = Clock::time_point::max();
}

void RunnerClient::Runner::send(StringRef Text) {
  Unsent += Text;
  flush();
}

void RunnerClient::Runner::flush() {
  while (!Unsent.empty()) {
    ssize_t Sent = Process->write(Unsent);
    if (Sent == 0)
      return;
    if (Sent < 0) {
      // It is gone; the end of its output says so, and decides what becomes of the job.
      Unsent.clear();
      return;
    }
    Unsent.erase(0, Sent);
  }
}

bool RunnerClient::Runner::readOutput(function_ref<void(StringRef)> OnLine) {
  std::vector<char> Chunk(size_t(1) << 16);
  while (Process) {
    ssize_t Got = ChildProcess::read(Process->output(), Chunk);
    if (Got < 0)
      return errno == EAGAIN;
    if (Got == 0)
      return false;
    Lines.append(StringRef(Chunk.data(), Got));
    // A line may end the process, and with it the splitter's contents.
    while (Process) {
      std::optional<std::string> Line = Lines.next();
      if (!Line)
        break;
      OnLine(*Line);
    }
    if (Lines.tooLong())
      return false;
  }
  return true;
}

void RunnerClient::Runner::readErrors() {
  char Chunk[4096];
  while (Process && Process->errors() >= 0) {
    ssize_t Got = ChildProcess::read(Process->errors(), Chunk);
    if (Got == 0)
      Process->closeErrors();
    if (Got <= 0)
      return;
    LastErrors.append(Chunk, Got);
    if (LastErrors.size() > KeptErrorBytes)
      LastErrors.erase(0, LastErrors.size() - KeptErrorBytes);
  }
}

std::string RunnerClient::Runner::end(int GraceMs) {
  if (!Process)
    return "";
  std::string How = Process->end(GraceMs);
  readErrors();
  Process.reset();
  Is = RunnerState::Down;
  Deadline = Clock::time_point::max();
  StringRef Said = StringRef(LastErrors).trim();
  return Said.empty() ? How : How + "; it last said: " + Said.str();
}

} // namespace gpuprune
