//===- AsyncCopies.cpp - cp.async of a block's threads -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AsyncCopies.h"
#include <algorithm>
#include <cstring>

namespace gpuprune {

void AsyncCopies::reset(unsigned Count, uint8_t NewPattern) {
  if (Used)
    Threads.clear();
  Threads.resize(Count);
  Used = false;
  Pattern = NewPattern;
}

void AsyncCopies::issue(unsigned Thread, char *To, const char *From, uint32_t Bytes, uint32_t Taken) {
  Used = true;
  std::memset(To, Pattern, Bytes);
  Threads[Thread].Pending.push_back({To, From, Bytes, std::min(Bytes, Taken), Threads[Thread].OpenGroup});
}

void AsyncCopies::commit(unsigned Thread) {
  Used = true;
  ++Threads[Thread].OpenGroup;
}

void AsyncCopies::wait(unsigned Thread, uint32_t GroupsLeft, bool Uncommitted,
                       llvm::function_ref<void(const char *To, uint32_t Bytes)> Completed) {
  auto &[Pending, OpenGroup] = Threads[Thread];
  // Groups below this number are complete.
  uint64_t Complete = Uncommitted ? OpenGroup + 1 : OpenGroup - std::min<uint64_t>(OpenGroup, GroupsLeft);
  auto Rest =
      std::find_if(Pending.begin(), Pending.end(), [&](const Copy &C) { return C.Group >= Complete; });
  for (auto It = Pending.begin(); It != Rest; ++It) {
    std::memcpy(It->To, It->From, It->Taken);
    std::memset(It->To + It->Taken, 0, It->Bytes - It->Taken);
    Completed(It->To, It->Bytes);
  }
  Pending.erase(Pending.begin(), Rest);
}

} // namespace gpuprune
