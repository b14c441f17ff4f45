//===- InstrumentBranches.cpp - Lets the runtime see branches ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/SourcePlace.h"
#include "HostLowering.h"

using namespace llvm;

namespace gpuprune {

/// Which successor \p Terminator goes to, as an i64; null where there is one only.
static Value *successorTaken(IRBuilder<> &B, Instruction &Terminator) {
  if (auto *Branch = dyn_cast<BranchInst>(&Terminator))
    return Branch->isConditional() ? B.CreateZExt(Branch->getCondition(), B.getInt64Ty()) : nullptr;
  auto *Switch = dyn_cast<SwitchInst>(&Terminator);
  if (!Switch || Switch->getNumCases() == 0)
    return nullptr;
  Value *Taken = B.getInt64(0);
  for (auto Case : Switch->cases())
    Taken = B.CreateSelect(B.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue()),
                           B.getInt64(Case.getSuccessorIndex()), Taken);
  return Taken;
}

void insertBranchWatch(Module &M, ThreadAccess &Threads, std::vector<AccessSite> &Sites) {
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      Instruction &Terminator = *Block.getTerminator();
      IRBuilder<> B(&Terminator);
      Value *Taken = successorTaken(B, Terminator);
      if (!Taken)
        continue;
      SmallVector<Value *> Arguments{Threads.thread(F),
                                     B.CreateIntToPtr(Taken, B.getPtrTy()),
                                     B.getInt64(0),
                                     B.getInt32(uint32_t(AccessKind::Branch)),
                                     B.getInt32(Sites.size()),
                                     B.getInt32(~0u)};
      SmallVector<Type *> Types;
      for (Value *V : Arguments)
        Types.push_back(V->getType());
      B.CreateCall(M.getOrInsertFunction("gpuprune_watch", FunctionType::get(B.getVoidTy(), Types, false)),
                   Arguments);
      const DILocation *Location = kernelLocation(Terminator);
      Sites.push_back({AccessKind::Branch, 0, F.getName().str(),
                       Location ? Location->getFilename().str() : "", Location ? Location->getLine() : 0});
    }
}

} // namespace gpuprune
