//===- SymbolUses.cpp - What is computed from the address of a variable ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SymbolUses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

void markInvariant(LoadInst &Load) {
  Load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Load.getContext(), {}));
}

static bool pointsLike(const Value &V, const GlobalVariable &Symbol) {
  return V.getType() == Symbol.getType();
}

/// Takes a use of \p Pointer, which points into \p Symbol; whether it is one that can be followed.
bool SymbolUses::take(Instruction &I, const Value &Pointer, const GlobalVariable &Symbol) {
  auto *Load = dyn_cast<LoadInst>(&I);
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  if (Load && Load->isSimple())
    Loads.push_back(Load);
  else if (Copy && Copy->getRawSource() == &Pointer)
    Copies.push_back(Copy);
  else if (isa<GetElementPtrInst, PHINode, SelectInst>(I) && pointsLike(I, Symbol))
    Pointers.insert(&I);
  else // A generic pointer it stays, whatever it points to.
    return isa<AssumeInst>(I) || (isa<AddrSpaceCastInst>(I) && !Only);
  return true;
}

/// Whether an operand of \p I points elsewhere.
bool SymbolUses::isMixed(const Instruction &I, const GlobalVariable &Symbol) const {
  return any_of(I.operands(), [&](const Use &Operand) {
    auto *Known = dyn_cast<Instruction>(Operand);
    return pointsLike(*Operand, Symbol) && Operand != &Symbol && !(Known && Pointers.contains(Known));
  });
}

Verdict SymbolUses::collect(GlobalVariable &Symbol) {
  for (size_t Next = 0; Next <= Pointers.size(); ++Next) {
    Value *Pointer = Next == 0 ? static_cast<Value *>(&Symbol) : Pointers[Next - 1];
    for (User *U : Pointer->users()) {
      if (isElsewhere(*U))
        continue;
      auto &I = *cast<Instruction>(U); // Constants have been made instructions.
      if (!take(I, *Pointer, Symbol))
        return Refusal::at(
            RefusalKind::PointerEscapes, I,
            formatv("the address of '{0}' goes where it cannot be followed", Symbol.getName()));
    }
  }
  for (const Instruction *I : Pointers)
    if (isMixed(*I, Symbol))
      return Refusal::at(RefusalKind::MixedSymbols, *I,
                         formatv("a pointer into '{0}' may also point elsewhere", Symbol.getName()));
  return std::nullopt;
}

void SymbolUses::moveTo(GlobalVariable &Old, GlobalVariable &New) {
  for (Use &U : make_early_inc_range(Old.uses()))
    if (!isElsewhere(*U.getUser()) && (!Only || !isa<AssumeInst>(U.getUser())))
      U.set(&New);
  for (Instruction *I : Pointers)
    I->mutateType(New.getType());
  for (LoadInst *Load : Loads)
    if (New.isConstant())
      markInvariant(*Load);
    else
      Load->setMetadata(LLVMContext::MD_invariant_load, nullptr); // It holds nothing when the kernel begins.
  for (MemTransferInst *Copy : Copies) { // The intrinsic's name has the address spaces.
    IRBuilder<> Builder(Copy);
    CallInst *Moved = Builder.CreateMemTransferInst(
        Copy->getIntrinsicID(), Copy->getRawDest(), Copy->getDestAlign(), Copy->getRawSource(),
        Copy->getSourceAlign(), Copy->getLength(), Copy->isVolatile());
    Moved->setAAMetadata(Copy->getAAMetadata());
    Copy->eraseFromParent();
  }
}

} // namespace gpuprune
