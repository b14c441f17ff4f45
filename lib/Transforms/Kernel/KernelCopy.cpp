//===- KernelCopy.cpp - Transforming a copy that takes a kernel's place -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelCopy.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

/// A function like \p F without a body, with \p More parameters behind its own, 32-bit integers.
static Function &createLike(Function &F, const Twine &Name, ArrayRef<StringRef> More) {
  SmallVector<Type *, 8> Types(F.getFunctionType()->params());
  Types.append(More.size(), Type::getInt32Ty(F.getContext()));
  auto *New = Function::Create(FunctionType::get(F.getReturnType(), Types, F.isVarArg()), F.getLinkage(),
                               F.getAddressSpace(), Name, F.getParent());
  New->copyAttributesFrom(&F);
  for (auto [Old, Same] : zip(F.args(), New->args()))
    Same.setName(Old.getName());
  for (auto [I, Added] : enumerate(More))
    New->getArg(F.arg_size() + I)->setName(Added);
  return *New;
}

Function &copyKernel(Function &F, StringRef Suffix, ArrayRef<StringRef> More) {
  Function *Copy = &createLike(F, F.getName() + Suffix, More);
  ValueToValueMapTy VMap;
  for (auto [Old, New] : zip(F.args(), Copy->args()))
    VMap[&Old] = &New;
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &BB : F) {
    Blocks.push_back(CloneBasicBlock(&BB, VMap, "", Copy));
    VMap[&BB] = Blocks.back();
  }
  remapInstructionsInBlocks(Blocks, VMap);
  return *Copy;
}

/// Puts a function with the parameters of \p Copy in the place of \p Kernel, in the module as
/// well, whose order is that of the PTX.
static Function &replaceFunction(Function &Kernel, Function &Copy, size_t Parameters) {
  SmallVector<StringRef, 4> More;
  for (size_t I = Kernel.arg_size(); I < Parameters; ++I)
    More.push_back(Copy.getArg(I)->getName());
  Function &New = createLike(Kernel, "", More);
  New.removeFromParent();
  Kernel.getParent()->getFunctionList().insert(Kernel.getIterator(), &New);
  New.setComdat(Kernel.getComdat());
  New.takeName(&Kernel);
  Kernel.replaceAllUsesWith(&New);
  Kernel.eraseFromParent();
  return New;
}

Function &takeBody(Function &Author, Function &Copy, size_t Spare) {
  SmallVector<std::pair<unsigned, MDNode *>, 2> Metadata; // Goes with the body.
  Author.getAllMetadata(Metadata);
  Author.dropAllReferences();
  size_t Parameters = Copy.arg_size() - Spare;
  assert(Parameters >= Author.arg_size() && "a kernel keeps its own parameters");
  assert(all_of(drop_begin(Copy.args(), Parameters), [](const Argument &A) { return A.use_empty(); }) &&
         "what is left out is not used");
  Function &Kernel = Parameters == Author.arg_size() ? Author : replaceFunction(Author, Copy, Parameters);
  for (auto [Kind, Node] : Metadata)
    Kernel.addMetadata(Kind, *Node);
  Kernel.splice(Kernel.begin(), &Copy);
  for (auto [Old, New] : zip(Copy.args(), Kernel.args()))
    Old.replaceAllUsesWith(&New);
  return Kernel;
}

/// A copy of all blocks behind \p Entry, which nothing leads to yet; returns its beginning.
static BasicBlock &copyBehind(BasicBlock &Entry, StringRef Suffix) {
  Function &F = *Entry.getParent();
  SmallVector<BasicBlock *, 16> Blocks, Copies;
  for (BasicBlock &Block : F)
    if (&Block != &Entry)
      Blocks.push_back(&Block);
  ValueToValueMapTy Copied;
  for (BasicBlock *Block : Blocks) {
    Copies.push_back(CloneBasicBlock(Block, Copied, Suffix, &F));
    Copied[Block] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, Copied);
  for (BasicBlock *Copy : Copies)
    forgetLoopNumber(*Copy->getTerminator());
  return *Copies.front();
}

void copyUnless(BasicBlock &Entry, Value &Condition, StringRef Suffix) {
  BasicBlock *Begin = Entry.getSingleSuccessor();
  BasicBlock &Other = copyBehind(Entry, Suffix);
  MDNode *Likely = MDBuilder(Entry.getContext()).createLikelyBranchWeights();
  ReplaceInstWithInst(Entry.getTerminator(), BranchInst::Create(Begin, &Other, &Condition));
  Entry.getTerminator()->setMetadata(LLVMContext::MD_prof, Likely);
}

} // namespace gpuprune
