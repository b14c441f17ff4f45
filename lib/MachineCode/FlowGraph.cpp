//===- FlowGraph.cpp - Basic blocks of machine code -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/FlowGraph.h"
#include <set>

using namespace llvm;

namespace gpuprune {

FlowAnchors &FlowAnchors::operator+=(const FlowAnchors &Other) {
  Barriers += Other.Barriers;
  Atomics += Other.Atomics;
  GlobalStoreBytes += Other.GlobalStoreBytes;
  SharedStoreBytes += Other.SharedStoreBytes;
  return *this;
}

uint64_t FlowAnchors::multipleOf(const FlowAnchors &Part) const {
  uint64_t Factor = 0;
  for (auto Member : {&FlowAnchors::Barriers, &FlowAnchors::Atomics, &FlowAnchors::GlobalStoreBytes,
                      &FlowAnchors::SharedStoreBytes}) {
    uint64_t All = this->*Member, One = Part.*Member;
    if (One == 0 && All == 0)
      continue;
    if (One == 0 || All % One != 0 || (Factor != 0 && All / One != Factor))
      return 0;
    Factor = All / One;
  }
  return Factor;
}

void FlowAnchors::count(InstructionClass Class, uint64_t Bytes) {
  switch (Class) {
  case InstructionClass::Barrier:
    ++Barriers;
    break;
  case InstructionClass::Atomic:
    ++Atomics;
    break;
  case InstructionClass::StoreGlobal:
  case InstructionClass::StoreGeneric:
    GlobalStoreBytes += Bytes;
    break;
  case InstructionClass::StoreShared:
    SharedStoreBytes += Bytes;
    break;
  default:
    break;
  }
}

bool isWork(InstructionClass Class) {
  switch (Class) {
  case InstructionClass::Fp32:
  case InstructionClass::Fp64:
  case InstructionClass::Fp16:
  case InstructionClass::Special:
  case InstructionClass::Matrix:
  case InstructionClass::LoadGlobal:
  case InstructionClass::LoadGeneric:
  case InstructionClass::LoadShared:
    return true;
  default:
    return false;
  }
}

namespace {

/// Where an instruction of machine code leads besides the next one.
struct Leaving {
  std::optional<size_t> Target;
  bool EndsBlock = false;
  bool NeverFallsThrough = false;
  bool IsComputed = false;
};

} // namespace

static Leaving leave(const DecodedInstruction &I, size_t NumInstructions) {
  Leaving L;
  bool IsJump = I.isNamed("BRA"), IsCall = I.isNamed("CALL"), IsComputed = I.isNamed("BRX");
  bool IsEnd = I.isNamed("EXIT") || I.isNamed("RET");
  L.EndsBlock = IsJump || IsCall || IsComputed || IsEnd;
  bool IsInside = I.Target && *I.Target >= 0 && *I.Target % InstructionBytes == 0 &&
                  uint64_t(*I.Target) / InstructionBytes < NumInstructions;
  if ((IsJump || IsCall) && IsInside)
    L.Target = size_t(*I.Target) / InstructionBytes;
  L.IsComputed = IsComputed || (IsJump && !IsInside);
  // A branch may depend on another predicate than its guard.
  L.NeverFallsThrough = (IsJump || IsComputed || IsEnd) && I.Guard.isAlways() && I.Reads.empty();
  if (IsComputed || I.isNamed("RET"))
    L.NeverFallsThrough = I.Guard.isAlways();
  return L;
}

/// The classes have more barriers than those of a block: the result of one, that of a cluster.
static bool isAnchor(const DecodedInstruction &I) {
  return !I.Guard.isNever() && (I.Opcode->Class != InstructionClass::Barrier || I.isNamed("BAR"));
}

/// Where blocks begin, in order.
static std::vector<size_t> beginsOf(ArrayRef<Leaving> Leavings) {
  std::set<size_t> Begins;
  if (!Leavings.empty())
    Begins.insert(0);
  for (size_t Index = 0; Index != Leavings.size(); ++Index) {
    if (Leavings[Index].EndsBlock && Index + 1 != Leavings.size())
      Begins.insert(Index + 1);
    if (Leavings[Index].Target)
      Begins.insert(*Leavings[Index].Target);
  }
  return {Begins.begin(), Begins.end()};
}

FlowGraph machineFlow(const KernelCode &Code) {
  FlowGraph Graph;
  ArrayRef<DecodedInstruction> All = Code.Instructions;
  std::vector<Leaving> Leavings;
  for (const DecodedInstruction &I : All)
    Leavings.push_back(leave(I, All.size()));
  Graph.IsComplete = none_of(Leavings, [](const Leaving &L) { return L.IsComputed; });
  std::vector<size_t> Begins = beginsOf(Leavings);
  for (size_t Number = 0; Number != Begins.size(); ++Number) {
    FlowBlock &Block = Graph.Blocks.emplace_back();
    Block.Begin = Begins[Number];
    Block.End = Number + 1 != Begins.size() ? Begins[Number + 1] : All.size();
    const Leaving &L = Leavings[Block.End - 1];
    if (L.Target)
      Block.Successors.push_back(size_t(lower_bound(Begins, *L.Target) - Begins.begin()));
    if (!L.NeverFallsThrough && Block.End != All.size() && !is_contained(Block.Successors, Number + 1))
      Block.Successors.push_back(Number + 1);
    for (const DecodedInstruction &I : All.slice(Block.Begin, Block.End - Block.Begin)) {
      if (isAnchor(I))
        Block.Anchors.count(I.Opcode->Class, I.AccessBytes);
      Block.Work += isWork(I.Opcode->Class);
    }
  }
  findLoops(Graph);
  return Graph;
}

} // namespace gpuprune
