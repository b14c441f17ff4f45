//===- DeviceAtomics.cpp - Atomic operations on halves and bfloats -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadContext.h"
#include "llvm/ADT/APFloat.h"
#include <atomic>

using namespace llvm;
using namespace gpuprune;

extern "C" {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) Result Name Parameters;
#include "DeviceRuntime.def"
}

/// add (0), minimum (1) or maximum (2) of two 16-bit values.
static uint16_t combine(uint16_t X, uint16_t Y, bool BFloat, uint32_t Operation) {
  const fltSemantics &Semantics = BFloat ? APFloat::BFloat() : APFloat::IEEEhalf();
  APFloat Left(Semantics, APInt(16, X)), Right(Semantics, APInt(16, Y));
  if (Operation == 0)
    Left.add(Right, APFloat::rmNearestTiesToEven);
  else
    Left = Operation == 1 ? minimumnum(Left, Right) : maximumnum(Left, Right);
  return Left.bitcastToAPInt().getZExtValue();
}

uint32_t gpuprune_atomic_packed(ThreadContext *, void *Address, uint32_t Value, uint32_t BFloat,
                                uint32_t Lanes, uint32_t Operation) {
  // One element may be either half of the word that is exchanged.
  unsigned Within = reinterpret_cast<uintptr_t>(Address) % 4, First = Lanes == 1 ? Within / 2 : 0;
  std::atomic_ref<uint32_t> Word(*reinterpret_cast<uint32_t *>(static_cast<char *>(Address) - Within));
  uint32_t Old = Word.load(), New;
  do {
    New = Old;
    for (unsigned I = 0; I < Lanes; ++I) {
      unsigned Shift = 16 * (First + I);
      uint16_t Element = combine(Old >> Shift, Value >> 16 * I, BFloat, Operation);
      New = (New & ~(0xffffu << Shift)) | uint32_t(Element) << Shift;
    }
  } while (!Word.compare_exchange_weak(Old, New));
  return Lanes == 1 ? Old >> 16 * First & 0xffff : Old;
}
