//===- FaultHandler.cpp - Signals of a kernel become results -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FaultHandler.h"
#include "gpuprune/HostExecution/GuardedMemory.h"
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <ucontext.h>

namespace gpuprune {

namespace {

/// What the handler needs of a thread that runs a kernel.
struct Catcher {
  sigjmp_buf Escape;
  CodeRange Code;
  const GuardedMemory *Lazy = nullptr;
  CaughtSignal Caught;
};

constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG};
constexpr int StopSignal = SIGURG; // Ignored by default: nothing happens if it comes late.

std::mutex Installing;
unsigned Installed = 0;
struct sigaction Previous[std::size(Signals)];
thread_local Catcher *Current = nullptr;

} // namespace

static uint64_t instructionPointer(const ucontext_t &Context) {
#if defined(__x86_64__)
  return Context.uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return Context.uc_mcontext.pc;
#else
  return 0;
#endif
}

/// What would have happened without this handler.
static void passOn(int Number, siginfo_t *Info, void *Context) {
  const struct sigaction *Before = nullptr;
  for (unsigned I = 0; I < std::size(Signals); ++I)
    if (Signals[I] == Number)
      Before = &Previous[I];
  if (Before->sa_flags & SA_SIGINFO)
    return Before->sa_sigaction(Number, Info, Context);
  if (Before->sa_handler != SIG_DFL && Before->sa_handler != SIG_IGN)
    return Before->sa_handler(Number);
  if (Number == StopSignal || Before->sa_handler == SIG_IGN)
    return;
  // The instruction faults again, and this time nobody is asked.
  signal(Number, SIG_DFL);
  if (Info->si_code <= 0)
    raise(Number);
}

static void handle(int Number, siginfo_t *Info, void *Context) {
  Catcher *Running = Current;
  uint64_t At = instructionPointer(*static_cast<ucontext_t *>(Context));
  if (!Running)
    return passOn(Number, Info, Context);
  if (Number == StopSignal && !Running->Code.contains(At))
    return; // In the runtime or the C library; it will be asked again.
  // A general protection fault, as of a misaligned vector, has no address.
  bool Knows = (Number == SIGSEGV || Number == SIGBUS) && Info->si_code > 0 && Info->si_code != SI_KERNEL;
  if (Knows && Running->Lazy && Running->Lazy->fillLazily(static_cast<const char *>(Info->si_addr)))
    return; // And the instruction is tried again.
  Current = nullptr;
  Running->Caught = {Number, Knows ? static_cast<const char *>(Info->si_addr) : nullptr, At, Knows};
  siglongjmp(Running->Escape, 1);
}

SignalHandlers::SignalHandlers() {
  std::lock_guard<std::mutex> Lock(Installing);
  if (Installed++ > 0)
    return;
  struct sigaction Action = {};
  Action.sa_sigaction = handle;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&Action.sa_mask);
  for (unsigned I = 0; I < std::size(Signals); ++I)
    sigaction(Signals[I], &Action, &Previous[I]);
}

SignalHandlers::~SignalHandlers() {
  std::lock_guard<std::mutex> Lock(Installing);
  if (--Installed > 0)
    return;
  for (unsigned I = 0; I < std::size(Signals); ++I) {
    struct sigaction Now;
    // Somebody who installed a handler meanwhile keeps it.
    if (sigaction(Signals[I], nullptr, &Now) == 0 && Now.sa_sigaction == handle)
      sigaction(Signals[I], &Previous[I], nullptr);
  }
}

AlternateStack::AlternateStack() {
  stack_t Before;
  if (sigaltstack(nullptr, &Before) || !(Before.ss_flags & SS_DISABLE))
    return;
  constexpr size_t Bytes = size_t(64) << 10;
  Memory = std::make_unique<char[]>(Bytes);
  stack_t Stack = {};
  Stack.ss_sp = Memory.get();
  Stack.ss_size = Bytes;
  Installed = sigaltstack(&Stack, nullptr) == 0;
}

AlternateStack::~AlternateStack() {
  if (!Installed)
    return;
  stack_t None = {};
  None.ss_flags = SS_DISABLE;
  sigaltstack(&None, nullptr);
}

/// The handler's signal stays blocked after a jump out of it.
static void unblock(int Number) {
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, Number);
  pthread_sigmask(SIG_UNBLOCK, &Set, nullptr);
}

std::optional<CaughtSignal> catchSignals(const CodeRange &Code, const GuardedMemory *Lazy,
                                         llvm::function_ref<void()> Kernel) {
  Catcher Here;
  Here.Code = Code;
  Here.Lazy = Lazy;
  if (sigsetjmp(Here.Escape, 0)) {
    unblock(Here.Caught.Number);
    return Here.Caught;
  }
  Current = &Here;
  Kernel();
  Current = nullptr;
  return std::nullopt;
}

void interruptKernel(pthread_t Thread) { pthread_kill(Thread, StopSignal); }

} // namespace gpuprune
