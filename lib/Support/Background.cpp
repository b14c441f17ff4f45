//===- Background.cpp - Work that must not disturb measuring ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Background.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <sys/resource.h>

using namespace llvm;

namespace gpuprune {

/// On Linux this is of the thread alone; its own threads and processes inherit it.
static void beNice(int Niceness) { (void)setpriority(PRIO_PROCESS, 0, Niceness); }

void runBehind() { beNice(10); }

void runShortlyBehind() { beNice(5); }

unsigned threadsBehind(unsigned Jobs) {
  unsigned Cores = hardware_concurrency().compute_thread_count();
  return Jobs ? Jobs : Cores - std::min(1U, (Cores - 1) / 2);
}

} // namespace gpuprune
