//===- FrequencyMap.cpp - Block frequencies of a module -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/BlockFrequencies.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/FormatVariadic.h"

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
  Known.Warps = Frequencies.Warps;
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

/// Numbers without a loss.
static std::string exactly(double Count) { return formatv("{0:x-}", bit_cast<uint64_t>(Count)); }

static std::string exactly(const std::optional<ComparedWarps> &Warps) {
  return Warps ? exactly(Warps->Divergence) + "," + exactly(Warps->Variation) : "";
}

std::string FrequencyMap::identity() const {
  std::string Text;
  for (auto &[Function, E] : Functions) {
    Text += formatv("{0};{1};{2};{3};", Function, E.Exact, unsigned(E.Source), exactly(E.Warps)).str() +
            join(E.Reasons, ";") + "\n";
    DenseMap<const Value *, size_t> Places;
    for (auto &[Block, Count] : E.Blocks) {
      Places.try_emplace(Block, Places.size());
      Text += exactly(Count) + ";";
    }
    std::vector<std::string> Edges;
    for (auto &[Edge, Count] : E.Edges)
      Edges.push_back(
          formatv("{0}-{1}:{2}", Places.lookup(Edge.first), Places.lookup(Edge.second), exactly(Count)));
    llvm::sort(Edges);
    Text += join(Edges, ";") + "\n";
  }
  return Text;
}
