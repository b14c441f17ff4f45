//===- UseGroups.cpp - Uses of a value that one reload serves ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UseGroups.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

/// Instructions between two uses for which a value is rather kept than loaded again.
static constexpr unsigned KeptFor = 64;

/// Where \p U needs its value: a PHI at the end of the block it comes from.
static Instruction *placeOf(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
}

void foldConstantDistances(Function &F) {
  SmallVector<GetElementPtrInst *, 64> Distances;
  for (Instruction &I : instructions(F))
    if (auto *G = dyn_cast<GetElementPtrInst>(&I); G && G->hasAllConstantIndices())
      Distances.push_back(G);
  for (GetElementPtrInst *G : reverse(Distances)) { // Users before their operands.
    for (Use &U : make_early_inc_range(G->uses())) {
      if (isa<PHINode>(U.getUser()))
        continue;
      Instruction *Copy = G->clone();
      Copy->insertBefore(cast<Instruction>(U.getUser())->getIterator());
      U.set(Copy);
    }
    if (G->use_empty())
      G->eraseFromParent();
  }
}

SmallVector<UseGroup, 4> farUses(Instruction &V, const LiveValues &Lives, const LiveValues::Point &Peak) {
  MapVector<BasicBlock *, SmallVector<std::pair<unsigned, Use *>, 4>> ByBlock;
  for (Use &U : V.uses()) {
    Instruction *Place = placeOf(U);
    ByBlock[Place->getParent()].emplace_back(Lives.position(*Place), &U);
  }
  SmallVector<UseGroup, 4> Groups;
  for (auto &[Block, Uses] : ByBlock) {
    llvm::sort(Uses, less_first());
    bool Near = Block == V.getParent(); // The definition begins a group of its own.
    unsigned Last = Near ? Lives.position(V) : 0;
    std::optional<unsigned> Split;
    if (Peak.Before->getParent() == Block)
      Split = Lives.position(*Peak.Before);
    bool Begins = !Near;
    for (auto [Position, U] : Uses) {
      if (Position > Last + KeptFor || (Split && Last < *Split && *Split <= Position)) {
        Begins = true;
        Near = false;
      }
      Last = Position;
      if (Near)
        continue;
      if (Begins)
        Groups.push_back({placeOf(*U), {}});
      Begins = false;
      Groups.back().Uses.push_back(U);
    }
  }
  return Groups;
}

bool isUsedAt(const LiveValues::Point &Peak, ArrayRef<UseGroup> Groups) {
  return any_of(Groups, [&](const UseGroup &Group) { return Group.Before == Peak.Before; });
}

bool decidesControl(ArrayRef<UseGroup> Groups) {
  SmallVector<const User *, 16> Worklist;
  for (const UseGroup &Group : Groups)
    for (const Use *U : Group.Uses)
      Worklist.push_back(U->getUser());
  SmallPtrSet<const User *, 16> Seen;
  while (!Worklist.empty()) {
    const User *U = Worklist.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (cast<Instruction>(U)->isTerminator())
      return true;
    append_range(Worklist, U->users());
  }
  return false;
}

} // namespace gpuprune
