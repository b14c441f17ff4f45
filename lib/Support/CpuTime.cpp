//===- CpuTime.cpp - Processor time used so far -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/CpuTime.h"
#include <sys/resource.h>

namespace gpuprune {

static double usedMs(int Who) {
  rusage Usage{};
  getrusage(Who, &Usage);
  auto Ms = [](const timeval &T) { return 1e3 * T.tv_sec + 1e-3 * T.tv_usec; };
  return Ms(Usage.ru_utime) + Ms(Usage.ru_stime);
}

double processCpuMs() { return usedMs(RUSAGE_SELF) + usedMs(RUSAGE_CHILDREN); }

double threadCpuMs() { return usedMs(RUSAGE_THREAD); }

double childrenCpuMs() { return usedMs(RUSAGE_CHILDREN); }

} // namespace gpuprune
