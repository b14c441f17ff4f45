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

class FlowNodes;

struct FlowNode {
  FlowNodes *Parent;
  size_t Number;
  std::vector<FlowNode *> Successors, Predecessors;

  FlowNodes *getParent() const { return Parent; }
  void printAsOperand(llvm::raw_ostream &OS, bool) const { OS << Number; }
};

class FlowNodes {
public:
  explicit FlowNodes(const FlowGraph &Graph) {
    for (size_t Number = 0; Number != Graph.Blocks.size(); ++Number)
      Nodes.push_back({this, Number, {}, {}});
    for (FlowNode &Node : Nodes)
      for (size_t Successor : Graph.Blocks[Node.Number].Successors) {
        Node.Successors.push_back(&Nodes[Successor]);
        Nodes[Successor].Predecessors.push_back(&Node);
      }
  }

  using iterator = llvm::pointer_iterator<std::deque<FlowNode>::iterator>;
  iterator begin() { return iterator(Nodes.begin()); }
  iterator end() { return iterator(Nodes.end()); }
  size_t size() const { return Nodes.size(); }
  FlowNode &front() { return Nodes.front(); }

private:
  std::deque<FlowNode> Nodes;
};

class FlowNodeLoop : public llvm::LoopBase<FlowNode, FlowNodeLoop> {
  friend class llvm::LoopInfoBase<FlowNode, FlowNodeLoop>;
  friend class llvm::LoopBase<FlowNode, FlowNodeLoop>;
  explicit FlowNodeLoop(FlowNode *Header) : LoopBase(Header) {}
};

} // namespace gpuprune

namespace llvm {

template <> struct GraphTraits<gpuprune::FlowNode *> {
  using NodeRef = gpuprune::FlowNode *;
  using ChildIteratorType = std::vector<gpuprune::FlowNode *>::iterator;
  static NodeRef getEntryNode(NodeRef Node) { return Node; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->Successors.begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->Successors.end(); }
};

template <> struct GraphTraits<Inverse<gpuprune::FlowNode *>> {
  using NodeRef = gpuprune::FlowNode *;
  using ChildIteratorType = std::vector<gpuprune::FlowNode *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> Graph) { return Graph.Graph; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->Predecessors.begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->Predecessors.end(); }
};

template <> struct GraphTraits<gpuprune::FlowNodes *> : GraphTraits<gpuprune::FlowNode *> {
  using nodes_iterator = gpuprune::FlowNodes::iterator;
  static NodeRef getEntryNode(gpuprune::FlowNodes *Nodes) { return &Nodes->front(); }
  static nodes_iterator nodes_begin(gpuprune::FlowNodes *Nodes) { return Nodes->begin(); }
  static nodes_iterator nodes_end(gpuprune::FlowNodes *Nodes) { return Nodes->end(); }
  static size_t size(gpuprune::FlowNodes *Nodes) { return Nodes->size(); }
};

template <> struct GraphTraits<const DomTreeNodeBase<gpuprune::FlowNode> *> {
  using NodeRef = const DomTreeNodeBase<gpuprune::FlowNode> *;
  using ChildIteratorType = DomTreeNodeBase<gpuprune::FlowNode>::const_iterator;
  static NodeRef getEntryNode(NodeRef Node) { return Node; }
  static ChildIteratorType child_begin(NodeRef Node) { return Node->begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->end(); }
};

} // namespace llvm

// NOLINTEND(readability-identifier-naming)

namespace gpuprune {

/// \p Loop and the loops inside it.
static void take(const FlowNodeLoop &Loop, std::optional<size_t> Outer, FlowGraph &Into) {
  size_t Number = Into.Loops.size();
  FlowLoop &Taken = Into.Loops.emplace_back();
  Taken.Header = Loop.getHeader()->Number;
  Taken.Outer = Outer;
  for (const FlowNode *Node : Loop.blocks()) {
    Taken.Blocks.push_back(Node->Number);
    Taken.All += Into.Blocks[Node->Number].Anchors;
    bool IsInside =
        llvm::any_of(Loop.getSubLoops(), [&](const FlowNodeLoop *L) { return L->contains(Node); });
    if (!IsInside)
      Taken.Own += Into.Blocks[Node->Number].Anchors;
  }
  llvm::sort(Taken.Blocks);
  std::vector<const FlowNodeLoop *> Inside(Loop.begin(), Loop.end());
  llvm::sort(Inside,
             [](const auto *A, const auto *B) { return A->getHeader()->Number < B->getHeader()->Number; });
  for (const FlowNodeLoop *L : Inside)
    take(*L, Number, Into);
}

void findLoops(FlowGraph &Graph) {
  Graph.Loops.clear();
  if (Graph.Blocks.empty())
    return;
  FlowNodes Nodes(Graph);
  llvm::DomTreeBase<FlowNode> Dominators;
  Dominators.recalculate(Nodes);
  llvm::LoopInfoBase<FlowNode, FlowNodeLoop> Loops;
  Loops.analyze(Dominators);
  std::vector<const FlowNodeLoop *> Outermost(Loops.begin(), Loops.end());
  llvm::sort(Outermost,
             [](const auto *A, const auto *B) { return A->getHeader()->Number < B->getHeader()->Number; });
  for (const FlowNodeLoop *Loop : Outermost)
    take(*Loop, std::nullopt, Graph);
}

} // namespace gpuprune
