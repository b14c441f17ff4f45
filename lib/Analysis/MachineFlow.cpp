//===- MachineFlow.cpp - Executions of machine blocks ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MachineFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/BasicBlock.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace gpuprune;

namespace {

using Quantity = std::optional<double>;

/// Solves for the blocks and edges of one function by repeating what a single
/// block's conservation of flow decides, and assumes something only where that
/// comes to a stop.
class FlowSolver {
public:
  FlowSolver(const MachineFunction &MF, const FrequencyMap::Entry &Frequencies);
  MachineFlow run();

private:
  struct Edge {
    unsigned From, To;
    Quantity Flow;
  };
  struct Node {
    const MachineBasicBlock *Block;
    Quantity Flow;
    /// Executions of the IR block where several machine blocks come from it.
    Quantity Guess;
    SmallVector<unsigned, 4> In, Out;
  };

  void readIRFrequencies(const FrequencyMap::Entry &Frequencies);
  void propagate();
  bool conserve(Node &N, ArrayRef<unsigned> Side, double Outside);
  bool useEdgeOfIR();
  bool assumeSomething();
  bool isConsistent() const;
  double knownSum(ArrayRef<unsigned> Side) const;

  std::vector<Node> Nodes;
  std::vector<Edge> Edges;
  DenseMap<BlockEdge, double> IREdges;
  bool Exact = true;
};

} // namespace

FlowSolver::FlowSolver(const MachineFunction &MF, const FrequencyMap::Entry &Frequencies) {
  DenseMap<const MachineBasicBlock *, unsigned> Index;
  for (const MachineBasicBlock &Block : MF) {
    Index[&Block] = Nodes.size();
    Nodes.push_back({&Block, std::nullopt, std::nullopt, {}, {}});
  }
  for (unsigned From = 0; From != Nodes.size(); ++From)
    for (const MachineBasicBlock *Successor : Nodes[From].Block->successors()) {
      unsigned To = Index[Successor];
      Nodes[From].Out.push_back(Edges.size());
      Nodes[To].In.push_back(Edges.size());
      Edges.push_back({From, To, std::nullopt});
    }
  readIRFrequencies(Frequencies);
}

void FlowSolver::readIRFrequencies(const FrequencyMap::Entry &Frequencies) {
  DenseMap<const BasicBlock *, double> OfBlock;
  for (auto &[Block, Count] : Frequencies.Blocks)
    if (Value *Alive = Block)
      OfBlock[cast<BasicBlock>(Alive)] = Count;
  DenseMap<const BasicBlock *, unsigned> Sharers;
  for (Node &N : Nodes)
    ++Sharers[N.Block->getBasicBlock()];
  for (Node &N : Nodes) {
    auto Known = OfBlock.find(N.Block->getBasicBlock());
    if (!N.Block->getBasicBlock() || Known == OfBlock.end())
      continue;
    bool Alone = Sharers.lookup(N.Block->getBasicBlock()) == 1;
    (Alone ? N.Flow : N.Guess) = Known->second;
  }
  for (auto &[Ends, Count] : Frequencies.Edges) {
    Value *From = Ends.first, *To = Ends.second;
    if (From && To)
      IREdges[{cast<BasicBlock>(From), cast<BasicBlock>(To)}] = Count;
  }
}

double FlowSolver::knownSum(ArrayRef<unsigned> Side) const {
  double Sum = 0;
  for (unsigned E : Side)
    Sum += Edges[E].Flow.value_or(0);
  return Sum;
}

/// What one side of \p N decides; \p Outside enters N from no block.
bool FlowSolver::conserve(Node &N, ArrayRef<unsigned> Side, double Outside) {
  auto IsUnknown = [&](unsigned E) { return !Edges[E].Flow; };
  auto Unknown = count_if(Side, IsUnknown);
  double Known = Outside + knownSum(Side);
  if (Unknown == 0 && !N.Flow) {
    N.Flow = Known;
    return true;
  }
  if (Unknown != 1 || !N.Flow)
    return false;
  Edges[*find_if(Side, IsUnknown)].Flow = std::max(0.0, *N.Flow - Known);
  return true;
}

void FlowSolver::propagate() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Node &N : Nodes) {
      bool IsEntry = &N == &Nodes.front();
      Changed |= conserve(N, N.In, IsEntry ? 1.0 : 0.0);
      if (!N.Out.empty())
        Changed |= conserve(N, N.Out, 0.0);
    }
  }
}

bool FlowSolver::useEdgeOfIR() {
  for (Edge &E : Edges) {
    if (E.Flow)
      continue;
    auto Known = IREdges.find({Nodes[E.From].Block->getBasicBlock(), Nodes[E.To].Block->getBasicBlock()});
    if (Known == IREdges.end())
      continue;
    E.Flow = Known->second;
    return true;
  }
  return false;
}

bool FlowSolver::assumeSomething() {
  for (Node &N : Nodes)
    if (!N.Flow && N.Guess) {
      N.Flow = N.Guess;
      return true;
    }
  for (Node &N : Nodes) {
    auto Unknown = count_if(N.Out, [&](unsigned E) { return !Edges[E].Flow; });
    if (!N.Flow || Unknown == 0)
      continue;
    double Each = std::max(0.0, *N.Flow - knownSum(N.Out)) / double(Unknown);
    for (unsigned E : N.Out)
      if (!Edges[E].Flow)
        Edges[E].Flow = Each;
    return true;
  }
  for (Node &N : Nodes)
    if (!N.Flow) {
      N.Flow = knownSum(N.In);
      return true;
    }
  return false;
}

bool FlowSolver::isConsistent() const {
  auto Same = [](double A, double B) { return std::abs(A - B) <= 1e-6 * std::max(1.0, std::max(A, B)); };
  for (const Node &N : Nodes) {
    double Entering = knownSum(N.In) + (&N == &Nodes.front() ? 1.0 : 0.0);
    if (!Same(Entering, *N.Flow) || (!N.Out.empty() && !Same(knownSum(N.Out), *N.Flow)))
      return false;
  }
  return true;
}

MachineFlow FlowSolver::run() {
  propagate();
  while (useEdgeOfIR())
    propagate();
  while (assumeSomething()) {
    Exact = false;
    propagate();
  }
  MachineFlow Result;
  Result.Exact = Exact && isConsistent();
  for (const Node &N : Nodes)
    Result.Blocks[N.Block] = *N.Flow;
  for (const Edge &E : Edges)
    Result.Edges[{Nodes[E.From].Block, Nodes[E.To].Block}] = *E.Flow;
  return Result;
}

MachineFlow gpuprune::computeMachineFlow(const MachineFunction &MF, const FrequencyMap::Entry &Frequencies) {
  return FlowSolver(MF, Frequencies).run();
}
