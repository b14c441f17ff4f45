//===- AddressLayout.cpp - The same addresses in each process -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/AddressLayout.h"
#include <cstddef>
#include <sys/mman.h>
#include <sys/personality.h>

namespace gpuprune {

static constexpr unsigned long OnlyAsk = 0xffffffff;

bool fixAddressLayout() {
  int Now = ::personality(OnlyAsk);
  return Now >= 0 && !(Now & ADDR_NO_RANDOMIZE) &&
         ::personality(static_cast<unsigned long>(Now) | ADDR_NO_RANDOMIZE) >= 0;
}

bool mapFarBelow() {
  constexpr size_t Distance = size_t(64) << 30;
  return ::mmap(nullptr, Distance, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}

} // namespace gpuprune
