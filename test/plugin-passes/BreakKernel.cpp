//===- BreakKernel.cpp - A pass that makes mistakes, for tests --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// break-kernel<what=W> does to each kernel what a transformation must not do, so that
// tests see whether the checks notice. W is one of
//
//   barrier    the first barrier goes
//   index      the first store goes one element further
//   operands   the operands of the first multiply-add's product and sum are exchanged
//   skip       the last store does not happen
//   shared     threads of the upper half of a block do not make the first store to shared memory
//   idle       the first floating-point sum that is added atomically is no number where it is zero
//   invalid    the first store is in front of where its value is made
//   nothing    the kernel stays right
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

template <typename Predicate> Instruction *findFirst(Function &F, Predicate Wanted) {
  for (Instruction &I : instructions(F))
    if (Wanted(I))
      return &I;
  return nullptr;
}

bool isCallOf(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().contains(Name);
}

void dropBarrier(Function &F) {
  if (Instruction *Barrier = findFirst(F, [](Instruction &I) { return isCallOf(I, "barrier"); }))
    Barrier->eraseFromParent();
}

bool storesToGlobal(Instruction &I) {
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->getPointerAddressSpace() != 3;
}

void shiftIndex(Function &F) {
  auto *Store = cast_or_null<StoreInst>(findFirst(F, storesToGlobal));
  if (!Store)
    return;
  IRBuilder<> B(Store);
  Store->setOperand(1,
                    B.CreateConstGEP1_64(Store->getValueOperand()->getType(), Store->getPointerOperand(), 1));
}

void swapOperands(Function &F) {
  if (Instruction *Sum = findFirst(F, [](Instruction &I) { return isCallOf(I, "llvm.fma"); })) {
    Value *First = Sum->getOperand(0);
    Sum->setOperand(0, Sum->getOperand(2));
    Sum->setOperand(2, First);
  }
}

void storeTooEarly(Function &F) {
  Instruction *Store = findFirst(F, storesToGlobal);
  if (auto *Value = Store ? dyn_cast<Instruction>(Store->getOperand(0)) : nullptr)
    Store->moveBefore(Value->getIterator());
}

void skipStore(Function &F) {
  Instruction *Last = nullptr;
  for (Instruction &I : instructions(F))
    if (storesToGlobal(I))
      Last = &I;
  if (Last)
    Last->eraseFromParent();
}

void leaveSharedUnwritten(Function &F) {
  auto *Store = cast_or_null<StoreInst>(findFirst(F, [](Instruction &I) {
    auto *Found = dyn_cast<StoreInst>(&I);
    return Found && Found->getPointerAddressSpace() == 3;
  }));
  if (!Store)
    return;
  IRBuilder<> B(Store);
  Value *Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
  Value *Half = B.CreateLShr(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}), 1);
  Store->moveBefore(
      SplitBlockAndInsertIfThen(B.CreateICmpULT(Thread, Half), Store->getIterator(), false)->getIterator());
}

void divideSumByItself(Function &F) {
  auto *Atomic = cast_or_null<AtomicRMWInst>(findFirst(F, [](Instruction &I) {
    auto *Found = dyn_cast<AtomicRMWInst>(&I);
    return Found && Found->getOperation() == AtomicRMWInst::FAdd;
  }));
  if (!Atomic)
    return;
  IRBuilder<> B(Atomic);
  Value *Sum = Atomic->getValOperand();
  Atomic->setOperand(1, B.CreateFMul(B.CreateFDiv(Sum, Sum), Sum));
}

class BreakKernelPass : public PassInfoMixin<BreakKernelPass> {
public:
  explicit BreakKernelPass(StringRef What) : What(What) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration())
        breakIt(F);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::string What;
  void breakIt(Function &F) {
    if (What == "barrier")
      dropBarrier(F);
    else if (What == "index")
      shiftIndex(F);
    else if (What == "operands")
      swapOperands(F);
    else if (What == "skip")
      skipStore(F);
    else if (What == "shared")
      leaveSharedUnwritten(F);
    else if (What == "idle")
      divideSumByItself(F);
    else if (What == "invalid")
      storeTooEarly(F);
  }
};

bool parse(StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
  if (!Name.consume_front("break-kernel<what=") || !Name.consume_back(">") ||
      !is_contained({"barrier", "index", "operands", "skip", "shared", "idle", "invalid", "nothing"}, Name))
    return false;
  MPM.addPass(BreakKernelPass(Name));
  return true;
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "BreakKernel", "1",
          [](PassBuilder &PB) { PB.registerPipelineParsingCallback(parse); }, nullptr};
}
