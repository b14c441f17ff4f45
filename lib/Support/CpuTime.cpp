//===- CpuTime.cpp - Processor time used so far -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/CpuTime.h"
#include <ctime>
#include <sys/resource.h>

namespace gpuprune {

static double usedMs(int Who) {
  rusage Usage{};
  getrusage(Who, &Usage);
  auto Ms = [](const timeval &T) { return 1e3 * T.tv_sec + 1e-3 * T.tv_usec; };
  return Ms(Usage.ru_utime) + Ms(Usage.ru_stime);
}

double processCpuMs() { return usedMs(RUSAGE_SELF) + usedMs(RUSAGE_CHILDREN); }

/// getrusage() counts in ticks.
double threadCpuMs() {
  timespec Used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Used);
  return 1e3 * double(Used.tv_sec) + 1e-6 * double(Used.tv_nsec);
}

double childrenCpuMs() { return usedMs(RUSAGE_CHILDREN); }

} // namespace gpuprune
