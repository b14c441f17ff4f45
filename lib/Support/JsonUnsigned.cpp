//===- JsonUnsigned.cpp - Unsigned numbers as fields of JSON --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/JsonUnsigned.h"
#include <limits>

using namespace llvm;

namespace gpuprune {

bool mapUnsigned(const json::Object &O, StringRef Key, uint64_t &Out, Presence Need, json::Path P) {
  const json::Value *V = O.get(Key);
  if (!V && Need == Presence::Optional)
    return true;
  if (V)
    if (auto Number = V->getAsUINT64()) {
      Out = *Number;
      return true;
    }
  P.field(Key).report("expected an integer of at least 0");
  return false;
}

bool mapUnsigned(const json::Object &O, StringRef Key, uint32_t &Out, Presence Need, json::Path P) {
  uint64_t Wide = Out;
  if (!mapUnsigned(O, Key, Wide, Need, P))
    return false;
  if (Wide > std::numeric_limits<uint32_t>::max()) {
    P.field(Key).report("expected an integer below 2^32");
    return false;
  }
  Out = static_cast<uint32_t>(Wide);
  return true;
}

} // namespace gpuprune
