//===- ControlSkeleton.cpp - A kernel that only counts -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlSkeleton.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace gpuprune;

unsigned gpuprune::counterCount(const Function &Kernel) {
  unsigned Count = Kernel.size();
  for (const BasicBlock &Block : Kernel)
    if (unsigned Successors = Block.getTerminator()->getNumSuccessors(); Successors > 1)
      Count += Successors;
  return Count;
}

/// Through bitcode: the kernel's own context sees nothing of what happens here.
CountingKernel::CountingKernel(const Function &Original) {
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(*Original.getParent(), OS);
  M = cantFail(parseBitcodeFile(MemoryBufferRef(Bitcode, "kernel"), Context)); // Written above.
  Kernel = M->getFunction(Original.getName());
}

/// Whether \p I only acts on memory or on other threads.
static bool isEffect(const Instruction &I) {
  if (isa<StoreInst, FenceInst>(I))
    return true;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return I.use_empty();
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getType()->isVoidTy() && Call->getIntrinsicID() != Intrinsic::trap &&
         !isa<AssumeInst>(Call);
}

void CountingKernel::removeEffects() {
  for (Instruction &I : make_early_inc_range(instructions(*Kernel)))
    if (isEffect(I))
      I.eraseFromParent();
}

void CountingKernel::addCounters() {
  unsigned Count = counterCount(*Kernel), Next = Kernel->size();
  IRBuilder<> B(Context);
  auto *Counters = ArrayType::get(B.getInt64Ty(), Count);
  auto *Totals = new GlobalVariable(*M, Counters, false, GlobalValue::ExternalLinkage,
                                    ConstantAggregateZero::get(Counters), Variable, nullptr,
                                    GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  std::vector<BasicBlock *> Blocks;
  for (BasicBlock &Block : *Kernel)
    Blocks.push_back(&Block);
  // One variable a counter, so that each can be a register and loops that only count vanish.
  B.SetInsertPoint(Blocks.front(), Blocks.front()->getFirstNonPHIOrDbgOrAlloca());
  std::vector<AllocaInst *> Own;
  for (unsigned I = 0; I < Count; ++I) {
    Own.push_back(B.CreateAlloca(B.getInt64Ty(), nullptr));
    B.CreateStore(B.getInt64(0), Own.back());
  }
  auto CountHere = [&](unsigned Index) {
    B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Own[Index]), B.getInt64(1)), Own[Index]);
  };
  for (auto [Index, Block] : enumerate(Blocks)) {
    Instruction *End = Block->getTerminator();
    B.SetInsertPoint(End);
    CountHere(Index);
    unsigned Successors = End->getNumSuccessors();
    for (unsigned S = 0; Successors > 1 && S < Successors; ++S) {
      BasicBlock *To = End->getSuccessor(S);
      BasicBlock *Between = BasicBlock::Create(Context, "", Kernel, To);
      End->setSuccessor(S, Between);
      for (PHINode &Phi : To->phis())
        Phi.setIncomingBlock(Phi.getBasicBlockIndex(Block), Between);
      B.SetInsertPoint(Between);
      CountHere(Next++);
      B.CreateBr(To);
    }
  }
  for (BasicBlock *Block : Blocks)
    if (auto *Return = dyn_cast<ReturnInst>(Block->getTerminator())) {
      B.SetInsertPoint(Return);
      for (unsigned I = 0; I < Count; ++I)
        B.CreateAtomicRMW(AtomicRMWInst::Add, B.CreateConstInBoundsGEP2_32(Counters, Totals, 0, I),
                          B.CreateLoad(B.getInt64Ty(), Own[I]), Align(8), AtomicOrdering::Monotonic);
    }
}

void CountingKernel::optimize() {
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  FunctionPassManager Passes;
  cantFail(PB.parsePassPipeline(
      Passes, "sroa,adce,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,"
              "loop(indvars,loop-deletion),adce,instcombine<no-verify-fixpoint>,simplifycfg"));
  Passes.run(*Kernel, FAM);
}

/// Parameters passed by value are no memory: nobody writes them once stores are gone.
static bool readsParameter(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || Load->isVolatile())
    return false;
  auto *Object = dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
  return Object && Object->hasByValAttr();
}

/// Warp operations and special registers are of no concern; loads and atomic
/// operations are, and so is any function whose code is elsewhere.
bool CountingKernel::readsMemory() const {
  return any_of(instructions(*Kernel), [](const Instruction &I) {
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      return !Atomic->use_empty(); // The counters' own leave nothing to read.
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && isa<IntrinsicInst>(Call))
      return false;
    return (isa<LoadInst, AtomicCmpXchgInst>(I) && !readsParameter(I)) || (Call && !Call->doesNotReturn());
  });
}

bool CountingKernel::reduceToControl() {
  removeEffects();
  addCounters();
  optimize();
  return !readsMemory();
}

std::array<bool, 3> CountingKernel::readsBlockIndex() const {
  std::array<bool, 3> Reads{};
  for (const Instruction &I : instructions(*Kernel))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
        Reads[0] = true;
        break;
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
        Reads[1] = true;
        break;
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
        Reads[2] = true;
        break;
      default:
        break;
      }
  return Reads;
}
