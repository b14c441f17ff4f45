//===- PtxFlow.cpp - Basic blocks of PTX text -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/FlowGraph.h"
#include "gpuprune/MachineCode/PtxLines.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace gpuprune {

/// "st.global.v4.b32": 16.
static uint64_t storeBytes(StringRef Mnemonic) {
  uint64_t Elements = 1, Bits = 0;
  SmallVector<StringRef> Parts;
  Mnemonic.split(Parts, '.');
  for (StringRef Part : Parts) {
    if (Part.consume_front("v"))
      Part.getAsInteger(10, Elements);
    else if (Part.size() > 1 && StringRef("bufs").contains(Part.front()))
      Part.drop_front().getAsInteger(10, Bits);
  }
  return Elements * Bits / 8;
}

/// 7 of "$L__BB0_7" and of a block without a label of its own.
static std::optional<unsigned> blockNumber(StringRef Label) {
  unsigned Number = 0;
  if (!Label.starts_with("$L__BB") && !Label.starts_with(UnnamedPtxLabel))
    return std::nullopt;
  return Label.rsplit('_').second.getAsInteger(10, Number) ? std::nullopt : std::optional(Number);
}

static bool isBlockBarrier(StringRef Mnemonic) {
  return (Mnemonic.starts_with("bar.") || Mnemonic.starts_with("barrier.")) &&
         !Mnemonic.starts_with("barrier.cluster");
}

namespace {

class PtxFlowReader {
public:
  FlowGraph read(StringRef Body);

private:
  FlowGraph Graph;
  StringMap<size_t> Labels;
  std::vector<std::pair<size_t, StringRef>> Branches; ///< By block.
  size_t NumInstructions = 0;
  bool FallsThrough = true;

  void beginBlock();
  void take(const PtxLine &S);
};

} // namespace

/// Also where the last block is empty: a label of its own may lead here.
void PtxFlowReader::beginBlock() {
  if (!Graph.Blocks.empty()) {
    Graph.Blocks.back().End = NumInstructions;
    if (FallsThrough)
      Graph.Blocks.back().Successors.push_back(Graph.Blocks.size());
  }
  FallsThrough = true;
  Graph.Blocks.emplace_back().Begin = NumInstructions;
}

void PtxFlowReader::take(const PtxLine &S) {
  if (!S.Label.empty()) {
    // No branch leads to a block that only a comment names.
    bool IsBegun = S.Label.starts_with(UnnamedPtxLabel) && Graph.Blocks.back().Begin == NumInstructions &&
                   !Graph.Blocks.back().Number;
    if (!IsBegun)
      beginBlock();
    Labels[S.Label] = Graph.Blocks.size() - 1;
    Graph.Blocks.back().Number = blockNumber(S.Label);
    return;
  }
  if (!S.isInstruction())
    return;
  ++NumInstructions;
  InstructionClass Class = classifyPtx(S.Mnemonic);
  if (Class != InstructionClass::Barrier || isBlockBarrier(S.Mnemonic))
    Graph.Blocks.back().Anchors.count(Class, storeBytes(S.Mnemonic));
  Graph.Blocks.back().Work += isWork(Class);
  StringRef Stem = S.Mnemonic.split('.').first;
  bool IsEnd = Stem == "ret" || Stem == "exit" || Stem == "trap";
  if (Stem == "bra")
    Branches.emplace_back(Graph.Blocks.size() - 1, S.Operands);
  Graph.IsComplete &= Stem != "brx";
  if (Stem == "bra" || Stem == "brx" || IsEnd) {
    FallsThrough = !S.Guard.empty();
    beginBlock();
  }
}

FlowGraph PtxFlowReader::read(StringRef Body) {
  beginBlock();
  while (std::optional<PtxLine> S = nextPtxLine(Body))
    take(*S);
  Graph.Blocks.back().End = NumInstructions;
  for (auto [Block, Label] : Branches) {
    auto Target = Labels.find(Label);
    if (Target == Labels.end())
      Graph.IsComplete = false;
    else if (!is_contained(Graph.Blocks[Block].Successors, Target->second))
      Graph.Blocks[Block].Successors.push_back(Target->second);
  }
  findLoops(Graph);
  return std::move(Graph);
}

Expected<FlowGraph> ptxFlow(StringRef Ptx, StringRef Kernel) {
  Expected<std::string> Body = ptxBody(Ptx, Kernel);
  if (!Body)
    return Body.takeError();
  return PtxFlowReader().read(*Body);
}

} // namespace gpuprune
