//===- ControlSkeleton.cpp - A kernel that only counts -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlSkeleton.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

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
  // What only ptxas and debuggers look at must not tell one copy from another.
  for (StringRef Attribute : PtxasBounds)
    Kernel->removeFnAttr(Attribute);
  StripDebugInfo(*M);
}

/// Whether control depends on \p I whatever is done with its result.
static bool decidesControl(const Instruction &I) {
  if (I.isTerminator())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  return !isa<IntrinsicInst>(Call) ? !Call->onlyReadsMemory() : Call->getIntrinsicID() == Intrinsic::trap;
}

void CountingKernel::removeEffects() {
  SmallPtrSet<const Instruction *, 32> Needed;
  SmallVector<Instruction *, 32> Left;
  auto Need = [&](Instruction &I) {
    if (Needed.insert(&I).second)
      Left.push_back(&I);
  };
  for (Instruction &I : instructions(*Kernel))
    if (decidesControl(I))
      Need(I);
  while (!Left.empty())
    for (Value *Operand : Left.pop_back_val()->operands())
      if (auto *I = dyn_cast<Instruction>(Operand))
        Need(*I);
  for (Instruction &I : instructions(*Kernel))
    if (!Needed.contains(&I))
      I.dropAllReferences();
  for (Instruction &I : make_early_inc_range(instructions(*Kernel)))
    if (!Needed.contains(&I))
      I.eraseFromParent();
}

void CountingKernel::addToTotals(ReturnInst *At, unsigned First, ArrayRef<AllocaInst *> Own) {
  // Nobody else is at it: counting launches have one worker.
  IRBuilder<> B(At);
  for (auto [Index, Counter] : enumerate(Own)) {
    Value *Of = B.CreateLoad(B.getInt64Ty(), Counter);
    auto Update = [&](GlobalVariable *Of, function_ref<Value *(Value *)> Next) {
      Value *At = B.CreateConstInBoundsGEP2_32(Of->getValueType(), Of, 0, First + Index);
      B.CreateStore(Next(B.CreateLoad(B.getInt64Ty(), At)), At);
    };
    Update(Totals, [&](Value *Before) { return B.CreateAdd(Before, Of); });
    Update(Most, [&](Value *Before) { return B.CreateBinaryIntrinsic(Intrinsic::umax, Before, Of); });
  }
}

static AllocaInst *newCounter(IRBuilder<> &B) {
  AllocaInst *Counter = B.CreateAlloca(B.getInt64Ty(), nullptr);
  B.CreateStore(B.getInt64(0), Counter);
  return Counter;
}

static void count(IRBuilder<> &B, AllocaInst *Counter, uint64_t Times = 1) {
  B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Counter), B.getInt64(Times)), Counter);
}

GlobalVariable *CountingKernel::addVariable(StringRef Name, unsigned Counters) {
  auto *Type = ArrayType::get(Type::getInt64Ty(Context), Counters);
  return new GlobalVariable(*M, Type, false, GlobalValue::ExternalLinkage, ConstantAggregateZero::get(Type),
                            Name, nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
}

void CountingKernel::addCounters() {
  unsigned Count = counterCount(*Kernel), Next = BlockCounters = unsigned(Kernel->size());
  IRBuilder<> B(Context);
  Totals = addVariable(Variable, Count + 1);
  Most = addVariable(MostVariable, Count + 1);
  std::vector<BasicBlock *> Blocks;
  for (BasicBlock &Block : *Kernel)
    Blocks.push_back(&Block);
  // One variable a counter, so that each can be a register and loops that only count vanish.
  B.SetInsertPoint(Blocks.front(), Blocks.front()->getFirstNonPHIOrDbgOrAlloca());
  std::vector<AllocaInst *> Own;
  for (unsigned I = 0; I < Count; ++I)
    Own.push_back(newCounter(B));
  for (auto [Index, Block] : enumerate(Blocks)) {
    Instruction *End = Block->getTerminator();
    B.SetInsertPoint(End);
    count(B, Own[Index]);
    unsigned Successors = End->getNumSuccessors();
    if (Successors > 1)
      BranchCounters.push_back(unsigned(Index));
    for (unsigned S = 0; Successors > 1 && S < Successors; ++S) {
      BasicBlock *To = End->getSuccessor(S);
      BasicBlock *Between = BasicBlock::Create(Context, "", Kernel, To);
      End->setSuccessor(S, Between);
      for (PHINode &Phi : To->phis())
        Phi.setIncomingBlock(Phi.getBasicBlockIndex(Block), Between);
      B.SetInsertPoint(Between);
      count(B, Own[Next++]);
      B.CreateBr(To);
    }
  }
  for (BasicBlock *Block : Blocks)
    if (auto *Return = dyn_cast<ReturnInst>(Block->getTerminator()))
      addToTotals(Return, 0, Own);
}

/// The instructions of each loop's own blocks are paid for once a round, all others once.
void CountingKernel::addCost() {
  DominatorTree DT(*Kernel);
  LoopInfo Loops(DT);
  DenseMap<const Loop *, uint64_t> Sizes;
  std::vector<ReturnInst *> Returns;
  for (BasicBlock &Block : *Kernel) {
    Sizes[Loops.getLoopFor(&Block)] += Block.size();
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Return);
  }
  IRBuilder<> B(Context);
  BasicBlock &Entry = Kernel->getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Cost = newCounter(B);
  count(B, Cost, Sizes.lookup(nullptr));
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    B.SetInsertPoint(L->getHeader(), L->getHeader()->getFirstInsertionPt());
    count(B, Cost, Sizes.lookup(L));
  }
  for (ReturnInst *Return : Returns)
    addToTotals(Return, Totals->getValueType()->getArrayNumElements() - 1, Cost);
  optimize("sroa");
}

void CountingKernel::optimize(StringRef Pipeline) {
  PassBuilder PB;
  AnalysisManagers Analyses;
  Analyses.registerAll(PB);
  FunctionPassManager Passes;
  cantFail(PB.parsePassPipeline(Passes, Pipeline));
  Passes.run(*Kernel, Analyses.Functions);
}

/// Whether \p I, which is no effect of its own, can write to memory that others read.
static bool writesMemory(const Instruction &I) {
  if (!I.mayWriteToMemory() || isa<FenceInst>(I))
    return false;
  auto *Call = dyn_cast<IntrinsicInst>(&I); // Barriers and the like write to nothing that has an address.
  return !Call || any_of(Call->args(), [](const Value *A) { return A->getType()->isPointerTy(); });
}

/// What the pointers that \p I writes through point to; null where that is not known.
static SmallVector<const Value *, 4> writtenBy(const Instruction &I) {
  SmallVector<const Value *, 4> Objects;
  auto Add = [&](const Value *Pointer) { getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0); };
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Add(Store->getPointerOperand());
  else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    Add(Atomic->getPointerOperand());
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Add(Exchange->getPointerOperand());
  else if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    for (const Value *Operand : Call->args())
      if (Operand->getType()->isPointerTy())
        Add(Operand);
  } else
    Objects.push_back(nullptr);
  return Objects;
}

/// Objects that are not one another: arguments are different buffers.
static bool isKnownObject(const Value *Object) {
  return isa_and_nonnull<Argument, AllocaInst, GlobalVariable>(Object);
}

/// Loads of what nobody writes need the data and nothing else. Warp operations and special
/// registers are of no concern; functions whose code is elsewhere are.
ControlNeeds CountingKernel::needs(function_ref<bool(const Value *)> IsWritten) const {
  ControlNeeds Result = ControlNeeds::Launch;
  for (const Instruction &I : instructions(*Kernel)) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call) && !Call->doesNotReturn())
      return ControlNeeds::All;
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      return ControlNeeds::All;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Load->getPointerOperand(), Objects, nullptr, /*MaxLookup=*/0);
    for (const Value *Object : Objects) {
      auto *Parameter = dyn_cast<Argument>(Object);
      if (Object == Totals || Object == Most ||
          (Parameter && Parameter->hasByValAttr() && !Load->isVolatile()))
        continue;
      bool Shared = Object->getType()->getPointerAddressSpace() == 3;
      if (Load->isVolatile() || Shared || !isKnownObject(Object) || isa<AllocaInst>(Object) ||
          IsWritten(Object))
        return ControlNeeds::All;
      Result = ControlNeeds::Inputs;
    }
  }
  return Result;
}

ControlNeeds CountingKernel::reduceToControl() {
  SmallPtrSet<const Value *, 8> Written;
  for (const Instruction &I : instructions(*Kernel))
    if (writesMemory(I))
      for (const Value *Object : writtenBy(I))
        Written.insert(isKnownObject(Object) ? Object : nullptr);
  removeEffects();
  addCounters();
  optimize("sroa,adce,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,"
           "loop(indvars,loop-deletion),adce,instcombine<no-verify-fixpoint>,simplifycfg");
  return needs([&](const Value *Object) { return Written.contains(Object) || Written.contains(nullptr); });
}

/// In which dimensions special registers of \p Family are read.
static std::array<bool, 3> readsAny(const Function &Kernel, RegisterFamily Family) {
  std::array<bool, 3> Reads{};
  for (const Instruction &I : instructions(Kernel))
    if (const SpecialRegister *Register = specialRegister(I); Register && Register->Family == Family)
      Reads[Register->Dimension] = true;
  return Reads;
}

std::array<bool, 3> CountingKernel::readsBlockIndex() const {
  return readsAny(*Kernel, RegisterFamily::BlockIndex);
}

std::array<bool, 3> CountingKernel::readsThreadIndex() const {
  return readsAny(*Kernel, RegisterFamily::ThreadIndex);
}

std::string CountingKernel::identity() const {
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(*M, OS);
  return Bitcode;
}
