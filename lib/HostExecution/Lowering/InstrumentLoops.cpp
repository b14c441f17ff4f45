//===- InstrumentLoops.cpp - Counts and interrupts loops --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/ThreadContext.h"
#include "HostLowering.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

/// Calls \p Function each time a counter of the block, which starts again from
/// there, has gone down to zero at \p At.
static void countDown(Instruction &At, ThreadAccess &Threads, uint64_t CounterOffset, StringRef Function) {
  IRBuilder<> B(&At);
  Value *Block = Threads.threadField(B, B.getPtrTy(), offsetof(ThreadContext, Block));
  Value *Counter = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, CounterOffset);
  LoadInst *Before = B.CreateLoad(B.getInt64Ty(), Counter);
  Value *Left = B.CreateSub(Before, B.getInt64(1));
  for (Instruction *I : {cast<Instruction>(Before), cast<Instruction>(B.CreateStore(Left, Counter))})
    I->setMetadata(ThreadAccess::InternalAccess, MDNode::get(B.getContext(), {}));
  MDNode *Rarely = MDBuilder(B.getContext()).createUnlikelyBranchWeights();
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpSLE(Left, B.getInt64(0)), &At, false, Rarely);
  IRBuilder<> Slow(Then);
  FunctionCallee Callee = At.getModule()->getOrInsertFunction(
      Function, FunctionType::get(Slow.getVoidTy(), {Slow.getPtrTy()}, false));
  Slow.CreateCall(Callee, {Threads.thread(*At.getFunction())});
}

void insertStepCounters(Module &M, ThreadAccess &Threads) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> Backedges;
    FindFunctionBackedges(F, Backedges);
    SmallPtrSet<const BasicBlock *, 8> Seen;
    for (auto [From, To] : Backedges)
      if (Seen.insert(From).second)
        countDown(*const_cast<BasicBlock *>(From)->getTerminator(), Threads,
                  offsetof(BlockContext, StepsLeft), "gpuprune_step_limit");
  }
}

static bool readsWhatOthersWrite(const Instruction &I) {
  if (I.isAtomic())
    return true;
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isVolatile();
}

/// Whether nothing but memory ends \p L, so that another thread may have to.
static bool maySpin(const Loop &L, ScalarEvolution &SE) {
  if (!any_of(L.blocks(), [](const BasicBlock *B) { return any_of(*B, readsWhatOthersWrite); }))
    return false;
  return isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L));
}

void insertYields(Module &M, ThreadAccess &Threads) {
  for (Function &F : M) {
    if (F.isDeclaration() || none_of(instructions(F), readsWhatOthersWrite))
      continue;
    DominatorTree DT(F);
    LoopInfo LI(DT);
    if (LI.empty())
      continue;
    TargetLibraryInfoImpl TLII(M.getTargetTriple());
    TargetLibraryInfo TLI(TLII, &F);
    AssumptionCache AC(F);
    ScalarEvolution SE(F, TLI, AC, DT, LI);
    SmallPtrSet<Instruction *, 8> Ends;
    for (Loop *L : LI.getLoopsInPreorder())
      if (maySpin(*L, SE)) {
        SmallVector<BasicBlock *, 4> Latches;
        L->getLoopLatches(Latches);
        for (BasicBlock *Latch : Latches)
          Ends.insert(Latch->getTerminator());
      }
    for (Instruction *End : Ends)
      countDown(*End, Threads, offsetof(BlockContext, SpinsLeft), "gpuprune_yield");
  }
}

} // namespace gpuprune
