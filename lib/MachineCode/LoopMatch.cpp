//===- LoopMatch.cpp - Loops of PTX found in machine code -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/LoopMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

bool LoopMatches::isComplete() const {
  return all_of(OfPtx, [](const LoopMatch &M) { return M.Machine.has_value(); });
}

namespace {

class LoopMatcher {
public:
  LoopMatcher(const FlowGraph &Ptx, const FlowGraph &Machine)
      : Ptx(Ptx), Machine(Machine), PtxWork(workOf(Ptx)), MachineWork(workOf(Machine)) {
    Found.OfPtx.resize(Ptx.Loops.size());
  }
  LoopMatches run();

private:
  const FlowGraph &Ptx, &Machine;
  std::vector<uint64_t> PtxWork, MachineWork; ///< By loop, with those inside.
  LoopMatches Found;

  static std::vector<uint64_t> workOf(const FlowGraph &Graph);
  static std::vector<size_t> inside(const FlowGraph &Graph, std::optional<size_t> Outer);
  static std::vector<size_t> withAnchors(const FlowGraph &Graph, ArrayRef<size_t> Loops,
                                         const FlowAnchors &Anchors);
  std::vector<size_t> candidates(const FlowAnchors &Anchors, ArrayRef<size_t> PtxLoops,
                                 ArrayRef<size_t> MachineLoops) const;
  size_t matchOf(size_t Loop, ArrayRef<size_t> Alike, ArrayRef<size_t> Candidates) const;
  void matchInside(std::optional<size_t> PtxOuter, std::optional<size_t> MachineOuter);
  void giveUp(size_t Loop, const Twine &Reason);
};

} // namespace

std::vector<uint64_t> LoopMatcher::workOf(const FlowGraph &Graph) {
  std::vector<uint64_t> OfLoops;
  for (const FlowLoop &Loop : Graph.Loops) {
    uint64_t &Work = OfLoops.emplace_back(0);
    for (size_t Block : Loop.Blocks)
      Work += Graph.Blocks[Block].Work;
  }
  return OfLoops;
}

std::vector<size_t> LoopMatcher::inside(const FlowGraph &Graph, std::optional<size_t> Outer) {
  std::vector<size_t> Loops;
  for (size_t Loop = 0; Loop != Graph.Loops.size(); ++Loop)
    if (Graph.Loops[Loop].Outer == Outer)
      Loops.push_back(Loop);
  return Loops;
}

std::vector<size_t> LoopMatcher::withAnchors(const FlowGraph &Graph, ArrayRef<size_t> Loops,
                                             const FlowAnchors &Anchors) {
  std::vector<size_t> Same;
  copy_if(Loops, std::back_inserter(Same), [&](size_t Loop) { return Graph.Loops[Loop].All == Anchors; });
  return Same;
}

void LoopMatcher::giveUp(size_t Loop, const Twine &Reason) {
  Found.OfPtx[Loop].Reason = Reason.str();
  for (size_t Inner : inside(Ptx, Loop))
    giveUp(Inner, "the loop around it was not found");
}

/// The loops of machine code that may be one with \p Anchors: as it was, or unrolled unless they are
/// another loop of PTX as it was.
std::vector<size_t> LoopMatcher::candidates(const FlowAnchors &Anchors, ArrayRef<size_t> PtxLoops,
                                            ArrayRef<size_t> MachineLoops) const {
  std::vector<size_t> Candidates;
  copy_if(MachineLoops, std::back_inserter(Candidates), [&](size_t Loop) {
    const FlowAnchors &Its = Machine.Loops[Loop].All;
    return Its == Anchors || (Its.multipleOf(Anchors) != 0 && withAnchors(Ptx, PtxLoops, Its).empty());
  });
  return Candidates;
}

/// By the order of those that do as much, if there are as many of them in both; else by the order of all for
/// which that is not so. ptxas may move loops, and with work that it has multiplied they are still in order.
size_t LoopMatcher::matchOf(size_t Loop, ArrayRef<size_t> Alike, ArrayRef<size_t> Candidates) const {
  auto Doing = [](ArrayRef<uint64_t> WorkOf, ArrayRef<size_t> Loops, uint64_t Work) {
    std::vector<size_t> Same;
    copy_if(Loops, std::back_inserter(Same), [&](size_t L) { return WorkOf[L] == Work; });
    return Same;
  };
  auto IsInBoth = [&](uint64_t Work) {
    return Doing(PtxWork, Alike, Work).size() == Doing(MachineWork, Candidates, Work).size();
  };
  std::vector<size_t> OfPtx, OfMachine;
  if (uint64_t Work = PtxWork[Loop]; IsInBoth(Work)) {
    OfPtx = Doing(PtxWork, Alike, Work);
    OfMachine = Doing(MachineWork, Candidates, Work);
  } else {
    copy_if(Alike, std::back_inserter(OfPtx), [&](size_t L) { return !IsInBoth(PtxWork[L]); });
    copy_if(Candidates, std::back_inserter(OfMachine), [&](size_t L) { return !IsInBoth(MachineWork[L]); });
  }
  return OfMachine[size_t(find(OfPtx, Loop) - OfPtx.begin())];
}

void LoopMatcher::matchInside(std::optional<size_t> PtxOuter, std::optional<size_t> MachineOuter) {
  std::vector<size_t> PtxLoops = inside(Ptx, PtxOuter), MachineLoops = inside(Machine, MachineOuter);
  for (size_t Loop : PtxLoops) {
    const FlowAnchors &Anchors = Ptx.Loops[Loop].All;
    std::vector<size_t> Alike = withAnchors(Ptx, PtxLoops, Anchors),
                        Candidates = candidates(Anchors, PtxLoops, MachineLoops);
    bool AsTheyWere = withAnchors(Machine, Candidates, Anchors).size() == Candidates.size();
    if (AsTheyWere) { // ptxas makes loops of its own, to divide or to copy.
      bool Works = PtxWork[Loop] != 0;
      erase_if(Alike, [&](size_t L) { return (PtxWork[L] != 0) != Works; });
      erase_if(Candidates, [&](size_t L) { return (MachineWork[L] != 0) != Works; });
    }
    if (Alike.size() != Candidates.size() || (!AsTheyWere && Alike.size() != 1)) {
      giveUp(Loop, formatv("machine code has {0} loops with the same barriers, stores and atomics, PTX {1}",
                           Candidates.size(), Alike.size())
                       .str());
      continue;
    }
    size_t Match = matchOf(Loop, Alike, Candidates);
    LoopMatch &Found = this->Found.OfPtx[Loop];
    Found.Machine = Match;
    Found.IsAnchored = Anchors.any();
    Found.Copies = AsTheyWere ? 1 : Machine.Loops[Match].All.multipleOf(Anchors);
    matchInside(Loop, Match);
  }
}

LoopMatches LoopMatcher::run() {
  matchInside(std::nullopt, std::nullopt);
  for (size_t Loop = 0; Loop != Machine.Loops.size(); ++Loop)
    if (none_of(Found.OfPtx, [&](const LoopMatch &M) { return M.Machine == Loop; }))
      Found.OnlyInMachine.push_back(Loop);
  return std::move(Found);
}

LoopMatches matchLoops(const FlowGraph &Ptx, const FlowGraph &Machine) {
  return LoopMatcher(Ptx, Machine).run();
}

} // namespace gpuprune
