//===- SharedMemory.cpp - Static shared memory of a kernel ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/SharedMemory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace gpuprune;

bool gpuprune::isDynamicShared(const GlobalVariable &Array) {
  return Array.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && Array.getValueType()->isSized() &&
         Array.getDataLayout().getTypeAllocSize(Array.getValueType()).isZero();
}

using FunctionSet = SetVector<const Function *>;

static void addAddressTaken(const Module &M, FunctionSet &Reached) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasAddressTaken())
      Reached.insert(&F);
}

static FunctionSet reachableFunctions(const Function &Kernel) {
  FunctionSet Reached;
  Reached.insert(&Kernel);
  for (unsigned Next = 0; Next != Reached.size(); ++Next)
    for (const Instruction &I : instructions(*Reached[Next])) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      if (const Function *Callee = Call->getCalledFunction())
        Reached.insert(Callee);
      else
        addAddressTaken(*Kernel.getParent(), Reached);
    }
  return Reached;
}

AddressUsers gpuprune::addressUsers(const Value &Variable) {
  AddressUsers Found;
  SmallVector<const User *, 16> Worklist(Variable.users());
  SmallPtrSet<const User *, 16> Seen;
  while (!Worklist.empty()) {
    const User *U = Worklist.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (const auto *I = dyn_cast<Instruction>(U)) {
      Found.Functions.insert(I->getFunction());
      continue;
    }
    if (const auto *Holder = dyn_cast<GlobalVariable>(U))
      Found.Variables.push_back(Holder);
    Worklist.append(U->user_begin(), U->user_end());
  }
  return Found;
}

/// True where an instruction of \p Functions uses \p Array.
static bool isUsedIn(const GlobalVariable &Array, const FunctionSet &Functions) {
  return any_of(addressUsers(Array).Functions, [&](const Function *F) { return Functions.contains(F); });
}

std::vector<const GlobalVariable *> gpuprune::sharedArrays(const Function &Kernel) {
  FunctionSet Functions = reachableFunctions(Kernel);
  const DataLayout &Layout = Kernel.getDataLayout();
  std::vector<const GlobalVariable *> Result;
  for (const GlobalVariable &Global : Kernel.getParent()->globals())
    if (Global.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && !Global.isDeclaration() &&
        Layout.getTypeAllocSize(Global.getValueType()) != 0 && isUsedIn(Global, Functions))
      Result.push_back(&Global);
  return Result;
}

uint64_t gpuprune::sharedBytes(const Function &Kernel) {
  const DataLayout &Layout = Kernel.getDataLayout();
  uint64_t Bytes = 0;
  for (const GlobalVariable *Array : sharedArrays(Kernel)) {
    Align Alignment = Array->getAlign().value_or(Layout.getPrefTypeAlign(Array->getValueType()));
    Bytes = alignTo(Bytes, Alignment) + Layout.getTypeAllocSize(Array->getValueType()).getFixedValue();
  }
  return Bytes;
}
