//===- ChildProcess.cpp - A program at the other end of three pipes -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

namespace {

/// How long a killed process may take to be gone; one stuck in a driver takes longer and is left to init.
constexpr int KillWaitMs = 5000;

class Descriptor {
public:
  ~Descriptor() { reset(); }
  Descriptor() = default;
  Descriptor(const Descriptor &) = delete;
  void reset(int New = -1) {
    if (Value >= 0)
      ::close(Value);
    Value = New;
  }
  int get() const { return Value; }
  int release() { return std::exchange(Value, -1); }

private:
  int Value = -1;
};

struct Ends {
  Descriptor Ours, Theirs;
};

void makeNonBlocking(int Fd) { ::fcntl(Fd, F_SETFL, ::fcntl(Fd, F_GETFL) | O_NONBLOCK); }

/// A socket for the child's input: writing to a child that is gone must not
/// raise SIGPIPE, and only sockets can be told so for one write.
bool openInput(Ends &E) {
  int Pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Pair) != 0)
    return false;
  E.Ours.reset(Pair[0]);
  E.Theirs.reset(Pair[1]);
  makeNonBlocking(Pair[0]);
  return true;
}

bool openOutput(Ends &E) {
  int Pair[2];
  if (::pipe2(Pair, O_CLOEXEC) != 0)
    return false;
  E.Ours.reset(Pair[0]);
  E.Theirs.reset(Pair[1]);
  makeNonBlocking(Pair[0]);
  return true;
}

/// dup2 onto itself keeps close-on-exec, so the child's ends must not be 0, 1 or 2 already.
bool moveAboveStandard(Descriptor &D) {
  if (D.get() > 2)
    return true;
  int Moved = ::fcntl(D.get(), F_DUPFD_CLOEXEC, 3);
  if (Moved < 0)
    return false;
  D.reset(Moved);
  return true;
}

int spawnInGroup(pid_t &Pid, const std::vector<std::string> &Arguments, const Descriptor (&Standard)[3]) {
  std::vector<char *> Argv;
  for (const std::string &A : Arguments)
    Argv.push_back(const_cast<char *>(A.c_str()));
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawnattr_t Attributes;
  posix_spawn_file_actions_init(&Actions);
  posix_spawnattr_init(&Attributes);
  for (int Fd = 0; Fd != 3; ++Fd)
    posix_spawn_file_actions_adddup2(&Actions, Standard[Fd].get(), Fd);
  sigset_t Defaults, Unblocked;
  sigemptyset(&Unblocked);
  sigemptyset(&Defaults);
  for (int Signal : {SIGPIPE, SIGINT, SIGTERM})
    sigaddset(&Defaults, Signal);
  posix_spawnattr_setsigdefault(&Attributes, &Defaults);
  posix_spawnattr_setsigmask(&Attributes, &Unblocked);
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setflags(&Attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  int Failed = posix_spawnp(&Pid, Argv[0], &Actions, &Attributes, Argv.data(), environ);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Actions);
  return Failed;
}

std::string describeEnd(int Status) {
  if (WIFEXITED(Status))
    return formatv("exit code {0}", WEXITSTATUS(Status));
  if (WIFSIGNALED(Status))
    return formatv("signal {0} ({1})", WTERMSIG(Status), strsignal(WTERMSIG(Status)));
  return "an unknown end";
}

} // namespace

Expected<std::unique_ptr<ChildProcess>> ChildProcess::spawn(const std::vector<std::string> &Arguments) {
  if (Arguments.empty())
    return makeError(ErrorKind::Toolchain, "the runner's command line is empty");
  Ends In, Out, Err;
  if (!openInput(In) || !openOutput(Out) || !openOutput(Err))
    return makeError(ErrorKind::Toolchain, formatv("no pipes for {0}: {1}", Arguments[0], strerror(errno)));
  Descriptor Standard[3];
  Ends *const All[] = {&In, &Out, &Err};
  for (int Fd = 0; Fd != 3; ++Fd) {
    Standard[Fd].reset(All[Fd]->Theirs.release());
    if (!moveAboveStandard(Standard[Fd]))
      return makeError(ErrorKind::Toolchain, formatv("no pipes for {0}: {1}", Arguments[0], strerror(errno)));
  }
  std::unique_ptr<ChildProcess> Child(new ChildProcess);
  if (int Failed = spawnInGroup(Child->Pid, Arguments, Standard)) {
    Child->Pid = -1;
    return makeError(ErrorKind::Toolchain,
                     formatv("the runner {0} could not be started: {1}", Arguments[0], strerror(Failed)));
  }
  Child->Input = In.Ours.release();
  Child->Output = Out.Ours.release();
  Child->Errors = Err.Ours.release();
  return Child;
}

ChildProcess::~ChildProcess() {
  end(/*GraceMs=*/0);
  ::close(Output);
  closeErrors();
}

ssize_t ChildProcess::write(StringRef Bytes) {
  ssize_t Sent;
  do
    Sent = ::send(Input, Bytes.data(), Bytes.size(), MSG_NOSIGNAL);
  while (Sent < 0 && errno == EINTR);
  return Sent < 0 && errno == EAGAIN ? 0 : Sent;
}

ssize_t ChildProcess::read(int Descriptor, MutableArrayRef<char> Buffer) {
  ssize_t Got;
  do
    Got = ::read(Descriptor, Buffer.data(), Buffer.size());
  while (Got < 0 && errno == EINTR);
  return Got;
}

void ChildProcess::closeErrors() {
  if (Errors >= 0)
    ::close(std::exchange(Errors, -1));
}

bool ChildProcess::reap(int WaitMs) {
  constexpr int StepMs = 5;
  for (int Waited = 0;; Waited += StepMs) {
    pid_t Done = ::waitpid(Pid, &Status, WNOHANG);
    if (Done == Pid || (Done < 0 && errno == ECHILD))
      return true;
    if (Waited >= WaitMs)
      return false;
    ::poll(nullptr, 0, StepMs);
  }
}

std::string ChildProcess::end(int GraceMs) {
  if (Input >= 0)
    ::close(std::exchange(Input, -1));
  if (Pid < 0)
    return describeEnd(Status);
  bool Gone = reap(GraceMs);
  // The group may outlive the child itself.
  ::kill(-Pid, SIGKILL);
  Gone = Gone || reap(KillWaitMs);
  Pid = -1;
  return Gone ? describeEnd(Status) : "no end, even when killed";
}

} // namespace gpuprune
