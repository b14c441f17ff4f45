//===- PointerUses.cpp - What a kernel does with what it is given --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/PointerUses.h"
#include "Compilation.h"
#include "ReadDevice.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Transforms/Prepare.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

static std::optional<ElementType> elementTypeOf(Type *T) {
  T = T->getScalarType();
  if (T->isFloatTy())
    return ElementType::F32;
  if (T->isDoubleTy())
    return ElementType::F64;
  if (T->isHalfTy())
    return ElementType::F16;
  if (T->isBFloatTy())
    return ElementType::BF16;
  if (T->isIntegerTy(8))
    return ElementType::U8;
  if (T->isIntegerTy(16))
    return ElementType::I16;
  if (T->isIntegerTy(32))
    return ElementType::I32;
  if (T->isIntegerTy(64))
    return ElementType::I64;
  return std::nullopt;
}

namespace {

/// Follows a pointer through a function.
class UseWalk {
public:
  explicit UseWalk(Argument &Pointer) : Kernel(*Pointer.getParent()) { Pointers.insert(&Pointer); }
  PointerUse run();

private:
  Function &Kernel;
  SetVector<Value *> Pointers;
  /// Of all accesses; of floating-point accesses; of structures that are copied whole, as integers.
  std::optional<ElementType> Type, Real, Copied;
  bool SeesAll = true, Writes = false, IsKept = false;

  void visit(Use &U);
  void access(llvm::Type *T);
  void call(CallBase &Call, Use &U);
  void followUses();
  void followKept();
};

} // namespace

/// That of all floating-point members of \p T, if it is one.
static std::optional<ElementType> realMembers(llvm::Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return realMembers(A->getElementType());
  if (auto *S = dyn_cast<StructType>(T)) {
    std::optional<ElementType> All;
    for (llvm::Type *Member : S->elements()) {
      std::optional<ElementType> Its = realMembers(Member);
      if (!Its || (All && All != Its))
        return std::nullopt;
      All = Its;
    }
    return All;
  }
  std::optional<ElementType> Its = elementTypeOf(T);
  return Its && isFloatingPoint(*Its) ? Its : std::nullopt;
}

void UseWalk::access(llvm::Type *T) {
  std::optional<ElementType> Its = elementTypeOf(T);
  SeesAll &= Its && (!Type || Type == Its);
  Type = Its;
  if (Its && isFloatingPoint(*Its))
    Real = Its;
}

void UseWalk::call(CallBase &Call, Use &U) {
  Writes |=
      !Call.onlyReadsMemory() && !(Call.isArgOperand(&U) && Call.onlyReadsMemory(Call.getArgOperandNo(&U)));
  SeesAll &= isa<LifetimeIntrinsic>(Call);
}

void UseWalk::visit(Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    access(Load->getType());
  } else if (auto *Store = dyn_cast<StoreInst>(I)) {
    Writes = true; // Also where the pointer itself is stored, and may come from there again.
    if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
      access(Store->getValueOperand()->getType());
    else
      SeesAll = false, IsKept = true;
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(I)) {
    Writes = true;
    access(Atomic->getValOperand()->getType());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(I)) {
    Writes = true;
    access(Exchange->getNewValOperand()->getType());
  } else if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(I)) {
    Pointers.insert(I);
    if (auto *Place = dyn_cast<GetElementPtrInst>(I); Place && !Copied)
      Copied = realMembers(Place->getSourceElementType());
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    call(*Call, U);
  } else if (!isa<ICmpInst>(I)) {
    SeesAll = false;
    Writes = true;
  }
}

void UseWalk::followUses() {
  for (size_t I = 0; I != Pointers.size(); ++I)
    for (Use &U : Pointers[I]->uses())
      if (isa<Instruction>(U.getUser()))
        visit(U);
}

/// It is one of the pointers that the kernel reads from memory.
void UseWalk::followKept() {
  Pointers.clear();
  for (Instruction &I : instructions(Kernel))
    if (isa<LoadInst>(I) && I.getType()->isPointerTy())
      Pointers.insert(&I);
  followUses();
}

PointerUse UseWalk::run() {
  followUses();
  if (IsKept && !Real)
    followKept();
  if (!Real)
    Real = Copied;
  bool IsCopied = Copied && Type && !isFloatingPoint(*Type);
  return {SeesAll && !IsCopied ? Type : Real, Writes};
}

Expected<std::vector<PointerUse>> Compilation::pointerUses() {
  PassBuilder PB(TM.get());
  AnalysisManagers Managers;
  Managers.registerAll(PB);
  PreparePass().run(*M, Managers.Modules);
  Expected<Function *> Kernel = onlyKernel(*M, Request.Kernel);
  if (!Kernel)
    return Kernel.takeError();
  std::vector<PointerUse> Uses;
  for (Argument &A : (*Kernel)->args())
    Uses.push_back(A.getType()->isPointerTy() && !A.hasByValAttr() ? UseWalk(A).run() : PointerUse());
  return Uses;
}

Expected<std::vector<PointerUse>> pointerUses(StringRef Bitcode, StringRef Kernel) {
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Kernel = Kernel.str();
  Compilation C(Request);
  if (Error E = C.load())
    return std::move(E);
  return C.pointerUses();
}

} // namespace gpuprune
