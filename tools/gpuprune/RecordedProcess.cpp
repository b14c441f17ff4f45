//===- RecordedProcess.cpp - The program that is recorded ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordedProcess.h"
#include "gpuprune/Support/AddressLayout.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

static volatile pid_t Child = 0;

static void handOn(int Signal) {
  if (Child > 0)
    ::kill(Child, Signal);
}

/// What a terminal sends it sends to the child as well.
static constexpr int FromTerminal[] = {SIGINT, SIGQUIT};
static constexpr int HandedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/// In the child; only returns where the program cannot be started. \p Problem gets errno.
static void start(ArrayRef<char *> Command, const std::vector<std::pair<std::string, std::string>> &Variables,
                  int Problem) {
  for (int Signal : FromTerminal)
    ::signal(Signal, SIG_DFL);
  for (int Signal : HandedOn)
    ::signal(Signal, SIG_DFL);
  for (const auto &[Name, Value] : Variables)
    ::setenv(Name.c_str(), Value.c_str(), /*replace=*/1);
  fixAddressLayout(); // So that a replay has the same places.
  ::execvp(Command.front(), Command.data());
  int Reason = errno;
  [[maybe_unused]] ssize_t Written = ::write(Problem, &Reason, sizeof(Reason));
  ::_exit(127);
}

Expected<int> runInForeground(ArrayRef<char *> Command,
                              const std::vector<std::pair<std::string, std::string>> &Variables) {
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return makeError(ErrorKind::Io, std::string("cannot make a pipe: ") + std::strerror(errno));
  for (int Signal : FromTerminal)
    ::signal(Signal, SIG_IGN);
  for (int Signal : HandedOn)
    ::signal(Signal, handOn);
  pid_t Started = ::fork();
  if (Started == 0)
    start(Command, Variables, Pipe[1]);
  Child = Started;
  ::close(Pipe[1]);
  int Reason = Started < 0 ? errno : 0;
  while (Started > 0 && ::read(Pipe[0], &Reason, sizeof(Reason)) < 0 && errno == EINTR)
    ;
  ::close(Pipe[0]);
  int Status = 0;
  while (Started > 0 && ::waitpid(Started, &Status, 0) < 0 && errno == EINTR)
    ;
  if (Reason != 0)
    return makeError(ErrorKind::Toolchain,
                     formatv("cannot start '{0}': {1}", Command.front(), std::strerror(Reason)));
  return Status;
}

void endBySignal(int Status) {
  rlimit None{0, 0};
  ::setrlimit(RLIMIT_CORE, &None); // The core is the program's.
  ::signal(WTERMSIG(Status), SIG_DFL);
  ::raise(WTERMSIG(Status));
}

} // namespace gpuprune
