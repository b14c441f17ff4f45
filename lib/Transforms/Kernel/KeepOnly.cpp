//===- KeepOnly.cpp - A module without what is not needed -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/KeepOnly.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprune {

using Predicate = function_ref<bool(const GlobalObject &)>;

static bool isLlvms(const GlobalObject &G) { return G.getName().starts_with("llvm."); }

/// Rows of metadata about what goes (nvvm.annotations).
static void dropAnnotations(Module &M, Predicate Keeps) {
  auto IsAboutDropped = [&](const MDNode *Row) {
    auto *About = Row->getNumOperands() ? dyn_cast_or_null<ConstantAsMetadata>(Row->getOperand(0)) : nullptr;
    auto *G = About ? dyn_cast<GlobalObject>(About->getValue()) : nullptr;
    return G && !Keeps(*G);
  };
  for (NamedMDNode &Table : M.named_metadata()) {
    SmallVector<MDNode *, 8> Rows(Table.operands());
    if (none_of(Rows, IsAboutDropped))
      continue;
    Table.clearOperands();
    for (MDNode *Row : Rows)
      if (!IsAboutDropped(Row))
        Table.addOperand(Row);
  }
}

size_t keepOnly(Module &M, Predicate Keeps) {
  SmallVector<GlobalObject *, 32> Gone;
  for (GlobalObject &G : M.global_objects())
    if (!Keeps(G) && !isLlvms(G))
      Gone.push_back(&G);
  dropAnnotations(M, Keeps);
  removeFromUsedLists(M, [&](Constant *C) {
    auto *G = dyn_cast<GlobalObject>(C->stripPointerCasts());
    return G && !Keeps(*G);
  });
  size_t Definitions = count_if(Gone, [](const GlobalObject *G) { return !G->isDeclaration(); });
  for (GlobalObject *G : Gone) {
    if (auto *V = dyn_cast<GlobalVariable>(G))
      V->setInitializer(nullptr);
    else
      cast<Function>(G)->deleteBody();
  }
  for (GlobalObject *G : Gone) { // What still names it is code of what stays that nothing comes to.
    G->replaceAllUsesWith(PoisonValue::get(G->getType()));
    G->eraseFromParent();
  }
  return Definitions;
}

} // namespace gpuprune
