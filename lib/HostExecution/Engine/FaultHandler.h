//===- FaultHandler.h - Signals of a kernel become results ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_FAULTHANDLER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_FAULTHANDLER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <pthread.h>

namespace gpuprune {

class GuardedMemory;

/// A signal that interrupted a kernel.
struct CaughtSignal {
  int Number = 0;
  /// What was accessed; null where the processor does not say.
  const char *Address = nullptr;
  uint64_t CodeAddress = 0; ///< The instruction.
  bool KnowsAddress = false;
};

/// The code of a kernel, which the stop signal may interrupt.
struct CodeRange {
  uint64_t Begin = 0, End = 0;
  bool contains(uint64_t Address) const { return Address >= Begin && Address < End; }
};

/// As long as one lives, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGURG of threads
/// within catchSignals() are faults of a kernel; other threads get what they would
/// get without. Handlers are the process's: the first to come installs them, the
/// last to leave restores what was there.
class SignalHandlers {
public:
  SignalHandlers();
  ~SignalHandlers();
};

/// Where the calling thread's handler may put its frames while a fiber's stack is
/// full; one a thread at a time.
class AlternateStack {
public:
  AlternateStack();
  ~AlternateStack();

private:
  std::unique_ptr<char[]> Memory;
  bool Installed = false;
};

/// Runs \p Kernel, which may leave for other stacks, until it returns or a signal
/// ends it; what is left on its stacks is lost then. An access to \p Lazy memory that is
/// still to be filled ends nothing. Needs SignalHandlers and an AlternateStack.
std::optional<CaughtSignal> catchSignals(const CodeRange &Code, const GuardedMemory *Lazy,
                                         llvm::function_ref<void()> Kernel);

/// Ends the kernel that \p Thread is in, if it is in generated code just now.
void interruptKernel(pthread_t Thread);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_FAULTHANDLER_H
