//===- CrashGuard.cpp - LLVM giving up is an error --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/CrashGuard.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// Keeps the reason; the guard catches the signal.
static void giveUp(void *Reason, const char *Message, bool) {
  *static_cast<std::string *>(Reason) = Message;
  std::abort();
}

Error runOnForeignIR(StringRef File, function_ref<Error()> Work) {
  std::string Reason = "it crashed";
  ScopedFatalErrorHandler Fatal(giveUp, &Reason);
  install_bad_alloc_error_handler(giveUp, &Reason);
  CrashRecoveryContext::Enable();
  std::optional<Error> Outcome;
  CrashRecoveryContext Guard;
  bool Ended = Guard.RunSafely([&] { Outcome.emplace(Work()); });
  CrashRecoveryContext::Disable();
  remove_bad_alloc_error_handler();
  if (Ended)
    return std::move(*Outcome);
  return makeError(ErrorKind::Input,
                   formatv("LLVM cannot take the IR of '{0}' ({1}); the file is damaged, or not of LLVM {2}: "
                           "make it anew",
                           File, Reason, LLVM_VERSION_MAJOR));
}

} // namespace gpuprune
