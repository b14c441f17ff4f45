//===- DataFlow.h - Where values of a kernel go, through memory too -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph whose nodes are the instructions of a kernel and of the functions that it
// calls, the arguments of those functions, and objects of memory: what variables,
// allocas and pointer arguments of the kernel point to, and what is unknown of an
// address space. An edge goes from an operand to its user, from what writes an
// object to the object and from there to what reads it. It does not depend on the
// order of execution. FloatingPointFreedom.h says what is assumed of pointers.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_DATAFLOW_H
#define GPUPRUNE_LIB_ANALYSIS_DATAFLOW_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <deque>
#include <vector>

namespace gpuprune {

struct FlowNode {
  /// An instruction or argument, or what an object of memory is known by; null for
  /// unknown memory and for the root.
  const llvm::Value *V = nullptr;
  bool IsMemory = false;
  unsigned Index = 0; ///< Instructions are in the order of the program.
  llvm::SmallVector<FlowNode *, 4> Next;
};

/// One access of an instruction to memory.
struct FlowAccess {
  const llvm::Instruction *I = nullptr;
  const llvm::Value *Pointer = nullptr; ///< Null: not known.
  bool Reads = false, Writes = false;
  llvm::SmallVector<FlowNode *, 2> Objects;

  bool touches(const FlowNode &Object) const { return llvm::is_contained(Objects, &Object); }
};

class DataFlow {
public:
  explicit DataFlow(const llvm::Function &Kernel);
  DataFlow(const DataFlow &) = delete;

  /// Has an edge to every other node.
  FlowNode &root() { return Root; }
  FlowNode &of(const llvm::Instruction &I) { return *Values.lookup(&I); }
  /// What pointer argument \p A of the kernel points to.
  const FlowNode &memoryOf(const llvm::Argument &A) { return *Objects.lookup({&A, spaceOf(A)}); }
  llvm::ArrayRef<FlowAccess> accesses() const { return Accesses; }
  llvm::ArrayRef<const llvm::Instruction *> instructions() const { return Instructions; }

private:
  using ObjectKey = std::pair<const llvm::Value *, unsigned>; ///< Base and address space.

  const llvm::Function &Kernel;
  FlowNode Root;
  std::deque<FlowNode> Nodes;
  std::vector<const llvm::Instruction *> Instructions;
  std::vector<FlowAccess> Accesses;
  llvm::DenseMap<const llvm::Value *, FlowNode *> Values;
  llvm::MapVector<ObjectKey, FlowNode *> Objects;
  const llvm::Value *DynamicShared = nullptr; ///< The first of the arrays, which share one address.
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::CallBase *, 4>> Callers;

  static unsigned spaceOf(const llvm::Value &Base);
  FlowNode &create(const llvm::Value *V, bool IsMemory);
  FlowNode &object(const llvm::Value *Base, unsigned Space);
  void collectFunctions();
  void addFunction(const llvm::Function &F);
  void addOperands(const llvm::Instruction &I);
  void addCall(const llvm::CallBase &Call);
  void addAssembly(const llvm::CallBase &Call, llvm::StringRef Ptx);
  void addAccess(const llvm::Instruction &I, const llvm::Value *Pointer, bool Reads, bool Writes);
  void addAccesses(const llvm::Instruction &I);
  void findObjects(const llvm::Value &Pointer, FlowAccess &Access);
  void resolveUnknown();
  void connectMemory();
};

} // namespace gpuprune

template <> struct llvm::GraphTraits<gpuprune::FlowNode *> {
  using NodeRef = gpuprune::FlowNode *;
  using ChildIteratorType = gpuprune::FlowNode *const *;
  static NodeRef getEntryNode(NodeRef Node) { return Node; }
  // NOLINTBEGIN(readability-identifier-naming): the names that LLVM's algorithms on graphs look for.
  static ChildIteratorType child_begin(NodeRef Node) { return Node->Next.begin(); }
  static ChildIteratorType child_end(NodeRef Node) { return Node->Next.end(); }
  // NOLINTEND(readability-identifier-naming)
};

#endif // GPUPRUNE_LIB_ANALYSIS_DATAFLOW_H
