//===- FlowLoops.cpp - The natural loops of a flow graph --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's dominators and loops, over nodes that stand for the blocks.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/FlowGraph.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include "llvm/Support/GenericLoopInfo.h"
#include "llvm/Support/GenericLoopInfoImpl.h"
#include <deque>

// NOLINTBEGIN(readability-identifier-naming): the names are LLVM's.

namespace gpuprune {

class BlockNodes;

struct BlockNode {
  BlockNodes *Parent;
  size_t Number;
  std::vector<BlockNode *> Successors, Predecessors;

  BlockNodes *getParent() const { return Parent; }
  void printAsOperand(llvm::raw_ostream &OS, bool) const { OS << Number; }
};

class BlockNodes {
public:
  explicit BlockNodes(const FlowGraph &Graph) {
    for (size_t Number = 0; Number != Graph.Blocks.size(); ++Number)
      Nodes.push_back({this, Number, {}, {}});
    for (BlockNode &Node : Nodes)
      for (size_t Successor : Graph.Blocks[Node.Number].Successors) {
        Node.Successors.push_back(&Nodes[Successor]);
        Nodes[Successor].Predecessors.push_back(&Node);
      }
  }

  using iterator = llvm::pointer_iterator<std::deque<BlockNode>::iterator>;
  iterator begin() { return iterator(Nodes.begin()); }
  iterator end() { return iterator(Nodes.end()); }
  size_t size() const { return Nodes.size(); }
  BlockNode &front() { return Nodes.front(); }

private:
  std::deque<BlockNode> Nodes;
};

class BlockNodeLoop : public llvm::LoopBase<BlockNode, BlockNodeLoop> {
  friend class llvm::LoopInfoBase<BlockNode, BlockNodeLoop>;
  friend class llvm::LoopBase<BlockNode, BlockNodeLoop>;
  explicit BlockNodeLoop(BlockNode *Header) : LoopBase(Header) {}
};

} // namespace gpuprune

namespace llvm {

template <> struct GraphTraits<gpuprune::BlockNode *> {
  using NodeRef = gpuprune::BlockNode *;
  using ChildIteratorType = std::vector<gpuprune::BlockNode *>::iterator;
  static NodeRef getEntryNode(NodeRef Node) { return Node; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->Successors.begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->Successors.end(); }
};

template <> struct GraphTraits<Inverse<gpuprune::BlockNode *>> {
  using NodeRef = gpuprune::BlockNode *;
  using ChildIteratorType = std::vector<gpuprune::BlockNode *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> Graph) { return Graph.Graph; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->Predecessors.begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->Predecessors.end(); }
};

template <> struct GraphTraits<gpuprune::BlockNodes *> : GraphTraits<gpuprune::BlockNode *> {
  using nodes_iterator = gpuprune::BlockNodes::iterator;
  static NodeRef getEntryNode(gpuprune::BlockNodes *Nodes) { return &Nodes->front(); }
  static nodes_iterator nodes_begin(gpuprune::BlockNodes *Nodes) { return Nodes->begin(); }
  static nodes_iterator nodes_end(gpuprune::BlockNodes *Nodes) { return Nodes->end(); }
  static size_t size(gpuprune::BlockNodes *Nodes) { return Nodes->size(); }
};

template <> struct GraphTraits<const DomTreeNodeBase<gpuprune::BlockNode> *> {
  using NodeRef = const DomTreeNodeBase<gpuprune::BlockNode> *;
  using ChildIteratorType = DomTreeNodeBase<gpuprune::BlockNode>::const_iterator;
  static NodeRef getEntryNode(NodeRef Node) { return Node; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->end(); }
};

} // namespace llvm

// NOLINTEND(readability-identifier-naming)

namespace gpuprune {

/// \p Loop and the loops inside it.
static void take(const BlockNodeLoop &Loop, std::optional<size_t> Outer, FlowGraph &Into) {
  size_t Number = Into.Loops.size();
  FlowLoop &Taken = Into.Loops.emplace_back();
  Taken.Header = Loop.getHeader()->Number;
  Taken.Outer = Outer;
  for (const BlockNode *Node : Loop.blocks()) {
    Taken.Blocks.push_back(Node->Number);
    Taken.All += Into.Blocks[Node->Number].Anchors;
    bool IsInside =
        llvm::any_of(Loop.getSubLoops(), [&](const BlockNodeLoop *L) { return L->contains(Node); });
    if (!IsInside)
      Taken.Own += Into.Blocks[Node->Number].Anchors;
  }
  llvm::sort(Taken.Blocks);
  std::vector<const BlockNodeLoop *> Inside(Loop.begin(), Loop.end());
  llvm::sort(Inside,
             [](const auto *A, const auto *B) { return A->getHeader()->Number < B->getHeader()->Number; });
  for (const BlockNodeLoop *L : Inside)
    take(*L, Number, Into);
}

void findLoops(FlowGraph &Graph) {
  Graph.Loops.clear();
  if (Graph.Blocks.empty())
    return;
  BlockNodes Nodes(Graph);
  llvm::DomTreeBase<BlockNode> Dominators;
  Dominators.recalculate(Nodes);
  llvm::LoopInfoBase<BlockNode, BlockNodeLoop> Loops;
  Loops.analyze(Dominators);
  std::vector<const BlockNodeLoop *> Outermost(Loops.begin(), Loops.end());
  llvm::sort(Outermost,
             [](const auto *A, const auto *B) { return A->getHeader()->Number < B->getHeader()->Number; });
  for (const BlockNodeLoop *Loop : Outermost)
    take(*Loop, std::nullopt, Graph);
}

std::vector<std::optional<size_t>> meetingBlocks(const FlowGraph &Graph) {
  std::vector<std::optional<size_t>> Meeting(Graph.Blocks.size());
  if (Graph.Blocks.empty())
    return Meeting;
  BlockNodes Nodes(Graph);
  llvm::PostDomTreeBase<BlockNode> PostDominators;
  PostDominators.recalculate(Nodes);
  for (BlockNode *Node : Nodes)
    if (const auto *In = PostDominators.getNode(Node); In && In->getIDom() && In->getIDom()->getBlock())
      Meeting[Node->Number] = In->getIDom()->getBlock()->Number;
  return Meeting;
}

} // namespace gpuprune
