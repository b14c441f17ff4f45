//===- DefaultOptions.cpp - What the sanitizers are told -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into every program of a sanitizer build, so that it behaves the same
// from ctest, from lit and by hand. ASAN_OPTIONS, UBSAN_OPTIONS and TSAN_OPTIONS
// add to it. Each option and suppression has its reason. exitcode=99 is no exit
// code of the programs, so that no test takes a finding for a refusal.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  // allow_user_poisoning=0: LLVM's allocators poison what they have not handed
  // out. Their templates are instrumented where our code instantiates them and
  // not in Debian's library, so that memory poisoned by the one is handed out by
  // the other without a word to the sanitizer.
  return "allow_user_poisoning=0:detect_stack_use_after_return=1:check_initialization_order=1:"
         "strict_string_checks=1:exitcode=99";
}

extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1:exitcode=99"; }

extern "C" const char *__tsan_default_options() {
  // report_signal_unsafe=0: faults of kernels, and of LLVM on foreign IR, end by a jump out
  // of the signal's handler; what follows is to ThreadSanitizer still the handler's.
  return "halt_on_error=1:second_deadlock_stack=1:report_signal_unsafe=0:exitcode=99";
}

extern "C" const char *__tsan_default_suppressions() {
  // LLVM publishes the mutex of its list of temporary files through an atomic
  // pointer (ManagedStatic), in code that is not instrumented.
  return "race:RemoveFileOnSignal\n";
}
