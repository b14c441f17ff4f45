//===- KernelCopy.cpp - Transforming a copy that takes a kernel's place -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelCopy.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

Function &copyKernel(Function &F, StringRef Suffix) {
  Function *Copy = Function::Create(F.getFunctionType(), F.getLinkage(), F.getAddressSpace(),
                                    F.getName() + Suffix, F.getParent());
  Copy->copyAttributesFrom(&F);
  ValueToValueMapTy VMap;
  for (auto [Old, New] : zip_equal(F.args(), Copy->args())) {
    New.setName(Old.getName());
    VMap[&Old] = &New;
  }
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &BB : F) {
    Blocks.push_back(CloneBasicBlock(&BB, VMap, "", Copy));
    VMap[&BB] = Blocks.back();
  }
  remapInstructionsInBlocks(Blocks, VMap);
  return *Copy;
}

void takeBody(Function &Kernel, Function &Copy) {
  SmallVector<std::pair<unsigned, MDNode *>, 2> Metadata; // Goes with the body.
  Kernel.getAllMetadata(Metadata);
  Kernel.dropAllReferences();
  for (auto [Kind, Node] : Metadata)
    Kernel.addMetadata(Kind, *Node);
  Kernel.splice(Kernel.begin(), &Copy);
  for (auto [Old, New] : zip_equal(Copy.args(), Kernel.args()))
    Old.replaceAllUsesWith(&New);
}

} // namespace gpuprune
