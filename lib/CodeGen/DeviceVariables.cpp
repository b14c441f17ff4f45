//===- DeviceVariables.cpp - The variables of a CUDA source -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadDevice.h"
#include "gpuprune/CodeGen/VariableWrites.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprune {

using FunctionSet = SmallSetVector<Function *, 8>;

static FunctionSet reachedFrom(Function &Kernel) {
  FunctionSet Reached;
  Reached.insert(&Kernel);
  for (size_t Next = 0; Next != Reached.size(); ++Next)
    for (Instruction &I : instructions(*Reached[Next])) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Function *Callee = Call ? Call->getCalledFunction() : nullptr)
        Reached.insert(Callee);
    }
  return Reached;
}

/// The front end keeps each parameter, and so each address, in a local variable.
static void promoteLocals(Function &F) {
  SmallVector<AllocaInst *, 16> Locals;
  for (Instruction &I : instructions(F))
    if (auto *Local = dyn_cast<AllocaInst>(&I); Local && isAllocaPromotable(Local))
      Locals.push_back(Local);
  if (Locals.empty())
    return;
  DominatorTree Tree(F);
  PromoteMemToReg(Locals, Tree);
}

/// Through constant expressions and the initial values of other variables, too.
static bool isUsedBy(const GlobalVariable &V, const FunctionSet &Functions) {
  SmallVector<const User *, 16> Worklist(V.users());
  SmallPtrSet<const User *, 16> Seen;
  while (!Worklist.empty()) {
    const User *U = Worklist.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (Functions.contains(const_cast<Function *>(I->getFunction())))
        return true;
      continue;
    }
    Worklist.append(U->user_begin(), U->user_end());
  }
  return false;
}

std::vector<DeviceVariable> variablesFor(Function &Kernel) {
  const Module &M = *Kernel.getParent();
  FunctionSet Functions = reachedFrom(Kernel);
  for (Function *F : Functions)
    promoteLocals(*F);
  auto IsReached = [&](const Function &F) { return Functions.contains(const_cast<Function *>(&F)); };
  std::vector<DeviceVariable> Variables;
  for (const GlobalVariable &V : M.globals())
    if (V.hasName() && !V.getName().starts_with("llvm.") &&
        (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
         V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST))
      Variables.push_back({V.getName().str(), M.getDataLayout().getTypeAllocSize(V.getValueType()),
                           mayBeWritten(V, IsReached), isUsedBy(V, Functions),
                           V.isConstant() && !V.isExternallyInitialized()});
  return Variables;
}

} // namespace gpuprune
