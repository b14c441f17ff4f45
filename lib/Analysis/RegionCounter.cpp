//===- RegionCounter.cpp - Blocking regions as Ryoo defines them ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/RegionCounter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;
using namespace gpuprune;

/// Which of the memories that a kernel writes an access of \p Class may touch:
/// bit 0 global, bit 1 shared, bit 2 local; generic addresses reach all of them.
static unsigned touchedSpaces(InstructionClass Class) {
  switch (Class) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::StoreGlobal:
    return 1;
  case InstructionClass::LoadShared:
  case InstructionClass::StoreShared:
    return 2;
  case InstructionClass::LoadLocal:
  case InstructionClass::StoreLocal:
    return 4;
  case InstructionClass::LoadGeneric:
  case InstructionClass::StoreGeneric:
  case InstructionClass::Atomic:
  case InstructionClass::AsyncCopy:
    return 7;
  default:
    return 0;
  }
}

static bool isStore(InstructionClass Class) {
  switch (Class) {
  case InstructionClass::StoreGlobal:
  case InstructionClass::StoreShared:
  case InstructionClass::StoreLocal:
  case InstructionClass::StoreGeneric:
  case InstructionClass::Atomic:
  case InstructionClass::AsyncCopy:
    return true;
  default:
    return false;
  }
}

static bool isLongLatencyLoad(const RegionInstruction &I) {
  switch (I.Class) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::LoadLocal:
  case InstructionClass::LoadTexture:
  case InstructionClass::LoadGeneric:
    return true;
  case InstructionClass::Atomic:
    return I.UsesResult;
  default:
    return false;
  }
}

void RegionCounter::Tracker::close() {
  Open = false;
  Dependent.clear();
  TaintedSpaces = 0;
}

void RegionCounter::Tracker::step(const RegionInstruction &I, bool JoinsUnit) {
  bool Depends = any_of(I.Reads, [&](uint64_t Value) { return Dependent.contains(Value); });
  unsigned Spaces = I.Invariant ? 0 : touchedSpaces(I.Class);
  Depends |= (Spaces & TaintedSpaces) != 0;
  if (JoinsUnit) {
    if (!Open || Depends) {
      close();
      Open = true;
      ++Units;
    }
    Dependent.insert_range(I.Defines);
    return;
  }
  if (!Depends) {
    for (uint64_t Value : I.Defines)
      Dependent.erase(Value);
    return;
  }
  Dependent.insert_range(I.Defines);
  if (isStore(I.Class))
    TaintedSpaces |= Spaces;
}

void RegionCounter::step(const RegionInstruction &I) {
  if (I.Blocks) {
    Slow.close();
    Special.close();
    ++Slow.Units;
    return;
  }
  Slow.step(I, isLongLatencyLoad(I));
  Special.step(I, I.Class == InstructionClass::Special);
}

double gpuprune::countRegions(ArrayRef<BlockUnits> Blocks) {
  bool KernelIsSlow = false;
  SmallSet<unsigned, 8> SlowLoops;
  for (const BlockUnits &Block : Blocks) {
    if (Block.Units == 0 || Block.Executions <= 0)
      continue;
    KernelIsSlow = true;
    SlowLoops.insert_range(Block.Loops);
  }
  double Regions = 1;
  for (const BlockUnits &Block : Blocks) {
    bool SlowerPresent = Block.Loops.empty() ? KernelIsSlow : SlowLoops.contains(Block.Loops.back());
    Regions += Block.Executions * (SlowerPresent ? Block.Units : Block.SpecialUnits);
  }
  return Regions;
}
