//===- ConstantArgument.cpp - A parameter read from constant memory ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantArgument.h"
#include "Facts/LoadHazards.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Memory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

Verdict checkPointerArgument(const Function &F, unsigned Number) {
  if (Number < F.arg_size() && F.getArg(Number)->getType()->isPointerTy() &&
      !F.getArg(Number)->hasByValAttr())
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::NoSuchArgument, F,
      formatv("the kernel has {0} parameters, and number {1}, counted from 0, is no pointer", F.arg_size(),
              Number));
}

namespace {

/// Everything that is computed from a pointer argument, and what reads through it.
class ArgumentUses {
public:
  explicit ArgumentUses(Argument &A) : A(A) {}
  /// Refuses where all of it cannot be followed or is not only read.
  Verdict collect();
  Verdict checkHazards(const LoadHazards &Hazards);
  bool areUniform(const UniformityInfo &Threads) const;
  void moveTo(GlobalVariable &Table);

private:
  Argument &A;
  SetVector<Instruction *> Pointers;
  SmallVector<LoadInst *, 16> Loads;
  SmallVector<MemTransferInst *, 2> Copies;

  Verdict take(Instruction &User, Value &Pointer, SmallVectorImpl<Value *> &Worklist);
  bool isOwn(const Value &Pointer) const {
    return &Pointer == &A || (isa<Instruction>(Pointer) && Pointers.contains(cast<Instruction>(&Pointer)));
  }
};

} // namespace

Verdict ArgumentUses::take(Instruction &User, Value &Pointer, SmallVectorImpl<Value *> &Worklist) {
  if (auto *Load = dyn_cast<LoadInst>(&User)) {
    if (!Load->isSimple())
      return Refusal::at(RefusalKind::Volatile, User, "volatile and atomic loads are not read-only");
    Loads.push_back(Load);
    return std::nullopt;
  }
  auto *Copy = dyn_cast<MemTransferInst>(&User);
  if (Copy && Copy->getRawSource() == &Pointer && Copy->getRawDest() != &Pointer) {
    if (Copy->isVolatile())
      return Refusal::at(RefusalKind::Volatile, User, "volatile and atomic loads are not read-only");
    Copies.push_back(Copy);
    return std::nullopt;
  }
  if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst, FreezeInst>(User) &&
      User.getType()->isPointerTy()) {
    if (Pointers.insert(&User))
      Worklist.push_back(&User);
    return std::nullopt;
  }
  if (isa<AssumeInst>(User))
    return std::nullopt;
  const auto *Store = dyn_cast<StoreInst>(&User);
  if ((Store && Store->getPointerOperand() == &Pointer) || isa<AtomicRMWInst, AtomicCmpXchgInst>(User) ||
      isa<MemIntrinsic>(User))
    return Refusal::at(RefusalKind::MayBeWritten, User, "this may write what is read");
  return Refusal::at(RefusalKind::PointerEscapes, User,
                     "the address of what is read goes where it cannot be followed");
}

Verdict ArgumentUses::collect() {
  SmallVector<Value *, 16> Worklist{&A};
  while (!Worklist.empty()) {
    Value *Pointer = Worklist.pop_back_val();
    for (User *U : Pointer->users())
      if (Verdict Refused = take(*cast<Instruction>(U), *Pointer, Worklist))
        return Refused;
  }
  for (Instruction *I : Pointers)
    for (Value *Operand : I->operands())
      if (Operand->getType()->isPointerTy() && !isOwn(*Operand))
        return Refusal::at(
            RefusalKind::MixedSymbols, *I,
            formatv("a pointer into what parameter {0} points to may also point elsewhere", A.getArgNo()));
  if (Loads.empty() && Copies.empty())
    return Refusal::inFunction(RefusalKind::NothingRead, *A.getParent(),
                               formatv("nothing is read through parameter {0}", A.getArgNo()));
  return std::nullopt;
}

Verdict ArgumentUses::checkHazards(const LoadHazards &Hazards) {
  for (const LoadInst *Load : Loads)
    if (Verdict Refused = Hazards.check(*Load))
      return Refused;
  for (MemTransferInst *Copy : Copies) {
    // As a load of any type from there would be.
    auto *Read = new LoadInst(Type::getInt8Ty(Copy->getContext()), Copy->getRawSource(), "",
                              /*isVolatile=*/false, Align(1), Copy->getIterator());
    Verdict Refused = Hazards.check(*Read);
    Read->eraseFromParent();
    if (Refused)
      return Refused;
  }
  return std::nullopt;
}

bool ArgumentUses::areUniform(const UniformityInfo &Threads) const {
  return all_of(Loads, [&](const LoadInst *Load) { return Threads.isUniform(Load->getPointerOperand()); }) &&
         all_of(Copies, [&](const MemTransferInst *Copy) { return Threads.isUniform(Copy->getRawSource()); });
}

void ArgumentUses::moveTo(GlobalVariable &Table) {
  A.replaceUsesWithIf(&Table, [](const Use &U) { return !isa<AssumeInst>(U.getUser()); });
  for (Instruction *I : Pointers)
    I->mutateType(Table.getType());
  for (Instruction *I : Pointers)
    if (isa<AddrSpaceCastInst>(I))
      I->replaceAllUsesWith(I->getOperand(0));
  for (LoadInst *Load : Loads)
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Load->getContext(), {}));
  for (MemTransferInst *Copy : Copies) { // The intrinsic's name has the address spaces.
    IRBuilder<> Builder(Copy);
    CallInst *Moved =
        Builder.CreateMemTransferInst(Copy->getIntrinsicID(), Copy->getRawDest(), Copy->getDestAlign(),
                                      Copy->getRawSource(), Copy->getSourceAlign(), Copy->getLength());
    Moved->setAAMetadata(Copy->getAAMetadata());
    Copy->eraseFromParent();
  }
  for (Instruction *I : Pointers)
    if (isa<AddrSpaceCastInst>(I))
      I->eraseFromParent();
}

static uint64_t constantBytes(const Module &M) {
  uint64_t Bytes = 0;
  for (const GlobalVariable &Variable : M.globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST && Variable.getValueType()->isSized())
      Bytes = alignTo(Bytes, Variable.getAlign().valueOrOne()) +
              M.getDataLayout().getTypeAllocSize(Variable.getValueType());
  return alignTo(Bytes, WidestAccessBytes);
}

/// As clang makes a __constant__ variable: any launch may find other contents.
static GlobalVariable *createTable(Function &F, const ConstantCopy &Copy) {
  auto *Contents = ArrayType::get(Type::getInt8Ty(F.getContext()), Copy.Bytes);
  auto *Table =
      new GlobalVariable(*F.getParent(), Contents, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                         ConstantAggregateZero::get(Contents), Copy.Symbol, nullptr,
                         GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_CONST,
                         /*isExternallyInitialized=*/true);
  Table->setAlignment(Align(WidestAccessBytes));
  return Table;
}

Verdict readFromConstantMemory(Function &F, unsigned Number, uint64_t Bytes, FunctionAnalysisManager &FAM) {
  if (Verdict Refused = checkPointerArgument(F, Number))
    return Refused;
  ArgumentUses Uses(*F.getArg(Number));
  if (Verdict Refused = Uses.collect())
    return Refused;
  if (Verdict Refused = Uses.checkHazards(LoadHazards(F, nullptr, FAM)))
    return Refused;
  if (uint64_t All = constantBytes(*F.getParent()) + Bytes; All > ConstantMemoryBytes)
    return Refusal::inFunction(
        RefusalKind::TooLarge, F,
        formatv("constant memory would hold {0} bytes, and there are {1}", All, ConstantMemoryBytes));
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  ConstantCopy Copy{Number, Bytes, formatv("__gpuprune_constant_{0}_{1}", F.getName(), Number).str()};
  GlobalVariable *Table = createTable(F, Copy);
  Copy.Symbol = Table->getName().str();
  Uses.moveTo(*Table);
  Contract->ConstantCopies.push_back(std::move(Copy));
  writeLaunchContract(F, *Contract);
  return std::nullopt;
}

SmallVector<unsigned, 4> uniformTables(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<unsigned, 4> Numbers;
  LoadHazards Hazards(F, nullptr, FAM);
  const UniformityInfo &Threads = FAM.getResult<UniformityInfoAnalysis>(F);
  for (Argument &A : F.args()) {
    ArgumentUses Uses(A);
    if (!checkPointerArgument(F, A.getArgNo()) && !Uses.collect() && !Uses.checkHazards(Hazards) &&
        Uses.areUniform(Threads))
      Numbers.push_back(A.getArgNo());
  }
  return Numbers;
}

} // namespace gpuprune
