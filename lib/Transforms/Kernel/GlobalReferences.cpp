//===- GlobalReferences.cpp - Which functions and variables name which others ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/GlobalReferences.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

GlobalReferences::GlobalReferences(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      addCode(F);
  for (GlobalVariable &V : M.globals()) {
    if (!V.hasInitializer())
      continue;
    if (!V.getName().starts_with("llvm.")) {
      addConstant(V, *V.getInitializer());
      continue;
    }
    for (const Use &U : V.getInitializer()->operands())
      if (const auto *F = dyn_cast<Function>(U->stripPointerCasts()))
        AddressTaken.insert(F);
  }
}

void GlobalReferences::add(GlobalObject &Holder, GlobalObject &Named) {
  Held[&Holder].insert(&Named);
  Holders[&Named].insert(&Holder);
}

/// All that \p C names has its address taken; a callee is no such operand.
void GlobalReferences::addConstant(GlobalObject &Holder, Constant &C) {
  SmallVector<Constant *, 8> Worklist{&C};
  SmallPtrSet<Constant *, 8> Seen{&C};
  while (!Worklist.empty()) {
    Constant *Next = Worklist.pop_back_val();
    if (auto *Named = dyn_cast<GlobalObject>(Next)) {
      add(Holder, *Named);
      if (const auto *F = dyn_cast<Function>(Named))
        AddressTaken.insert(F);
      continue;
    }
    for (Use &U : Next->operands())
      if (auto *Operand = dyn_cast<Constant>(U); Operand && Seen.insert(Operand).second)
        Worklist.push_back(Operand);
  }
}

void GlobalReferences::addCode(Function &F) {
  for (Use &U : F.operands())
    if (auto *C = dyn_cast<Constant>(U))
      addConstant(F, *C);
  for (BasicBlock *BB : depth_first(&F.getEntryBlock()))
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isIndirectCall())
        CallsIndirectly.insert(&F);
      for (Use &U : I.operands()) {
        auto *Callee = Call && Call->isCallee(&U) ? dyn_cast<Function>(U) : nullptr;
        if (Callee)
          add(F, *Callee);
        else if (auto *C = dyn_cast<Constant>(U))
          addConstant(F, *C);
      }
    }
}

GlobalObjects GlobalReferences::reachedFrom(GlobalObject &From) const {
  GlobalObjects Reached;
  Reached.insert(&From);
  for (size_t I = 0; I < Reached.size(); ++I)
    Reached.insert_range(of(*Reached[I]));
  return Reached;
}

} // namespace gpuprune
