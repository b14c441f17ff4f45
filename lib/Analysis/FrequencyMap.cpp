//===- FrequencyMap.cpp - Block frequencies of a module -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/BlockFrequencies.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace gpuprune;

std::optional<unsigned> gpuprune::loopNumber(const Loop &L) {
  MDNode *LoopID = L.getLoopID();
  if (!LoopID)
    return std::nullopt;
  for (const MDOperand &Operand : LoopID->operands()) {
    auto *Property = dyn_cast_or_null<MDNode>(Operand.get());
    if (!Property || Property == LoopID || Property->getNumOperands() != 2)
      continue;
    auto *Name = dyn_cast_or_null<MDString>(Property->getOperand(0).get());
    if (!Name || Name->getString() != "gpuprune.loop")
      continue;
    if (auto *Number = mdconst::dyn_extract_or_null<ConstantInt>(Property->getOperand(1)))
      return Number->getZExtValue();
  }
  return std::nullopt;
}

void FrequencyMap::add(const Function &F, const BlockFrequencies &Frequencies) {
  Entry &Known = Functions[F.getName().str()];
  Known = {};
  Known.Exact = Frequencies.Exact;
  Known.Source = Frequencies.Source;
  Known.Reasons = Frequencies.Reasons;
  for (const BasicBlock &Block : F)
    Known.Blocks.emplace_back(const_cast<BasicBlock *>(&Block), Frequencies.of(&Block));
  for (auto &[Edge, Count] : Frequencies.Edges)
    Known.Edges.push_back(
        {{const_cast<BasicBlock *>(Edge.first), const_cast<BasicBlock *>(Edge.second)}, Count});
}

const FrequencyMap::Entry *FrequencyMap::find(StringRef Function) const {
  auto Known = Functions.find(Function);
  return Known == Functions.end() ? nullptr : &Known->second;
}
