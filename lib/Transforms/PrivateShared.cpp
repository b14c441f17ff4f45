//===- PrivateShared.cpp - A copy of a shared array for each replica --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrivateShared.h"
#include "Coarsening.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// The widest access the hardware makes, 128 bits (PTX ISA, ld.v4.b32): copies
/// of an element that start on such a boundary can be read at once.
static constexpr uint64_t WidestAccessBytes = 16;

void sharedUsesToInstructions(Function &F) {
  SmallVector<Constant *, 4> Shared;
  for (GlobalVariable &Variable : F.getParent()->globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      Shared.push_back(&Variable);
  convertUsersOfConstantsToInstructions(Shared, &F, /*RemoveDeadConstants=*/false);
}

/// Copies to shared memory in the background, and matrices: 16 bytes a row or less.
static bool accessesThroughFirst(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  if (!Intrinsic || Intrinsic->arg_empty() || !Intrinsic->getArgOperand(0)->getType()->isPointerTy())
    return false;
  StringRef Name = Intrinsic->getCalledFunction()->getName();
  return Name.starts_with("llvm.nvvm.cp.async.ca.shared.global.") ||
         Name.starts_with("llvm.nvvm.cp.async.cg.shared.global.") || Name.starts_with("llvm.nvvm.wmma.") ||
         Name.starts_with("llvm.nvvm.ldmatrix.") || Name.starts_with("llvm.nvvm.stmatrix.");
}

Value *accessedPointer(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return const_cast<Value *>(Pointer);
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return const_cast<Value *>(RMW->getPointerOperand());
  if (const auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return const_cast<Value *>(CmpXchg->getPointerOperand());
  return accessesThroughFirst(I) ? I.getOperand(0) : nullptr;
}

static Type *accessedType(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getValOperand()->getType();
  if (const auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return CmpXchg->getCompareOperand()->getType();
  return getLoadStoreType(&I);
}

static Align accessAlignment(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getAlign();
  if (const auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return CmpXchg->getAlign();
  return isa<IntrinsicInst>(I) ? Align(WidestAccessBytes) : getLoadStoreAlignment(&I);
}

static void setAccessAlignment(Instruction &I, Align Alignment) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setAlignment(Alignment);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Store->setAlignment(Alignment);
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    RMW->setAlignment(Alignment);
  else if (auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    CmpXchg->setAlignment(Alignment);
}

void displaceAccess(Instruction &Access, uint64_t Bytes) {
  Value *Pointer = accessedPointer(Access);
  Type *Int64 = Type::getInt64Ty(Access.getContext());
  // An instruction even where the pointer is the array itself: later dimensions
  // look for the array's uses among instructions.
  Value *Displaced =
      GetElementPtrInst::CreateInBounds(Type::getInt8Ty(Access.getContext()), Pointer,
                                        {ConstantInt::get(Int64, Bytes)}, "copy", Access.getIterator());
  // A stored value is never the array's own address: that would have escaped.
  Access.replaceUsesOfWith(Pointer, Displaced);
  setAccessAlignment(Access, commonAlignment(accessAlignment(Access), Bytes));
}

static bool computesAddress(const Instruction &I) {
  return isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(I) && I.getType()->isPointerTy();
}

static bool isMarker(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
}

Verdict collectUses(Value &Object, const Function &F, ObjectUses &Uses) {
  Uses.Object = &Object;
  SmallVector<Value *, 16> Worklist{&Object};
  while (!Worklist.empty()) {
    Value *Pointer = Worklist.pop_back_val();
    for (User *U : Pointer->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || I->getFunction() != &F)
        continue; // Another function's, or a constant expression only others use.
      if (computesAddress(*I)) {
        if (Uses.Pointers.insert(I))
          Worklist.push_back(I);
      } else if (accessedPointer(*I) == Pointer && count(I->operand_values(), Pointer) == 1) {
        Uses.Accesses.insert(I);
      } else if (isa<MemIntrinsic>(I) || (isa<AllocaInst>(Object) && isSystemCall(*I))) {
        Uses.Accesses.insert(I);
      } else if (!isMarker(*I)) {
        return Refusal::at(
            "PointerEscapes", *I,
            formatv("the address of '{0}' goes where it cannot be followed", Object.getName()));
      }
    }
  }
  return std::nullopt;
}

/// Whether all that flows into \p I comes from the object itself.
static bool pointsOnlyTo(const ObjectUses &Uses, const Instruction &I) {
  auto IsOwn = [&](const Value *V) {
    return V == Uses.Object || (isa<Instruction>(V) && Uses.Pointers.contains(cast<Instruction>(V)));
  };
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return all_of(Phi->incoming_values(), IsOwn);
  if (const auto *Select = dyn_cast<SelectInst>(&I))
    return IsOwn(Select->getTrueValue()) && IsOwn(Select->getFalseValue());
  return true;
}

/// Whether \p GEP goes into anything but arrays: only their strides scale.
static bool indexesElement(const GetElementPtrInst &GEP) {
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End; ++It)
    if (It.isStruct() || It.isVector())
      return true;
  return false;
}

static Align arrayAlignment(const GlobalVariable &Array) {
  return Array.getDataLayout().getValueOrABITypeAlignment(Array.getAlign(), Array.getValueType());
}

static Verdict canInterleave(const ObjectUses &Uses) {
  const auto &Array = *cast<GlobalVariable>(Uses.Object);
  const DataLayout &DL = Array.getDataLayout();
  std::optional<uint64_t> Size;
  for (const Instruction *Access : Uses.Accesses) {
    if (isa<IntrinsicInst>(Access))
      return Refusal::at("MixedAccessSizes", *Access,
                         formatv("copies of '{0}' cannot be interleaved: it is read or written in rows",
                                 Uses.Object->getName()));
    uint64_t Bytes = DL.getTypeStoreSize(accessedType(*Access));
    Align Known = std::min(accessAlignment(*Access), arrayAlignment(Array));
    if (!isPowerOf2_64(Bytes) || Size.value_or(Bytes) != Bytes || Known.value() < Bytes)
      return Refusal::at("MixedAccessSizes", *Access,
                         formatv("copies of '{0}' cannot be interleaved: its elements are not all read and "
                                 "written with one naturally aligned size",
                                 Uses.Object->getName()));
    Size = Bytes;
  }
  for (const Instruction *Pointer : Uses.Pointers)
    if (const auto *GEP = dyn_cast<GetElementPtrInst>(Pointer); GEP && indexesElement(*GEP))
      return Refusal::at("StructLayout", *GEP,
                         formatv("copies of '{0}' cannot be interleaved: it holds structures or vectors",
                                 Uses.Object->getName()));
  return std::nullopt;
}

Verdict canPrivatise(const ObjectUses &Uses, SharedLayout Layout) {
  const auto &Array = *cast<GlobalVariable>(Uses.Object);
  const Instruction *Sample = Uses.Accesses.empty() ? nullptr : Uses.Accesses.front();
  if (!Sample)
    return std::nullopt;
  if (Array.isDeclaration() || Array.getDataLayout().getTypeAllocSize(Array.getValueType()) == 0)
    return Refusal::at(
        "DynamicShared", *Sample,
        formatv("'{0}' is dynamic shared memory and its contents depend on the block index; its "
                "size is known only at launch",
                Array.getName()));
  for (const Instruction *Pointer : Uses.Pointers)
    if (!pointsOnlyTo(Uses, *Pointer))
      return Refusal::at("MixedArrays", *Pointer,
                         formatv("a pointer into '{0}' may also point elsewhere", Array.getName()));
  for (const Instruction *Access : Uses.Accesses)
    if (isa<MemIntrinsic>(Access))
      return Refusal::at("MemoryIntrinsic", *Access,
                         formatv("'{0}' is privatised and copied or filled as a whole", Array.getName()));
  return Layout == SharedLayout::Blocked ? std::nullopt : canInterleave(Uses);
}

/// \p T with every element that is no array replaced by \p Copies of it.
static Type *interleaved(Type *T, unsigned Copies) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return ArrayType::get(interleaved(Array->getElementType(), Copies), Array->getNumElements());
  return ArrayType::get(T, Copies);
}

static GlobalVariable *createCopies(GlobalVariable &Old, Type *NewType, Align Alignment) {
  auto *New = new GlobalVariable(
      *Old.getParent(), NewType, /*isConstant=*/false, GlobalValue::InternalLinkage, UndefValue::get(NewType),
      Old.getName() + ".coarse", &Old, GlobalValue::NotThreadLocal, Old.getAddressSpace());
  New->setAlignment(Alignment);
  New->setDSOLocal(true);
  return New;
}

static void replaceInFunction(GlobalVariable &Old, GlobalVariable &New, const Function &F) {
  Old.replaceUsesWithIf(&New, [&](Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I->getFunction() == &F;
  });
}

/// Multiplies the offset that \p GEP computes by \p Copies.
static void scaleOffset(GetElementPtrInst &GEP, unsigned Copies) {
  GEP.setSourceElementType(interleaved(GEP.getSourceElementType(), Copies));
  GEP.setResultElementType(interleaved(GEP.getResultElementType(), Copies));
  // Only an offset known to stay inside the array cannot wrap when multiplied.
  if (!GEP.isInBounds())
    GEP.setNoWrapFlags(GEPNoWrapFlags::none());
}

/// \p Count of \p T one after another, each at a multiple of \p Alignment.
static Type *inARow(Type *T, unsigned Count, Align Alignment, const DataLayout &DL) {
  uint64_t Bytes = DL.getTypeAllocSize(T), Step = alignTo(Bytes, Alignment);
  if (Count == 1 || Step == Bytes)
    return Count == 1 ? T : ArrayType::get(T, Count);
  return ArrayType::get(Type::getInt8Ty(T->getContext()), Step * Count);
}

/// Copies side by side: all, or as many as fill the widest access and leave no group short.
static unsigned groupSize(SharedLayout Layout, unsigned Copies, uint64_t ElementBytes) {
  if (Layout == SharedLayout::Interleaved || Copies * ElementBytes <= WidestAccessBytes)
    return Copies;
  uint64_t Fitting = std::max<uint64_t>(WidestAccessBytes / ElementBytes, 1);
  return std::min<uint64_t>(Fitting, Copies & -Copies);
}

static CopyPlaces copySideBySide(ObjectUses &Uses, SharedLayout Layout, unsigned Copies, Align Alignment) {
  auto &Old = *cast<GlobalVariable>(Uses.Object);
  const DataLayout &DL = Old.getDataLayout();
  CopyPlaces Places;
  Places.Within = DL.getTypeStoreSize(accessedType(*Uses.Accesses.front()));
  Places.Group = groupSize(Layout, Copies, Places.Within);
  Type *OfGroup = interleaved(Old.getValueType(), Places.Group);
  // A group is what a 128-bit access reads, so the next one has to begin where one may.
  Alignment = std::max(Alignment, Align(WidestAccessBytes));
  Uses.Object = createCopies(Old, inARow(OfGroup, Copies / Places.Group, Alignment, DL), Alignment);
  Places.Between = alignTo(DL.getTypeAllocSize(OfGroup), Alignment);
  for (Instruction *Pointer : Uses.Pointers)
    if (auto *GEP = dyn_cast<GetElementPtrInst>(Pointer))
      scaleOffset(*GEP, Places.Group);
  return Places;
}

static CopyPlaces copyBlocked(ObjectUses &Uses, unsigned Copies, Align Alignment) {
  auto &Old = *cast<GlobalVariable>(Uses.Object);
  const DataLayout &DL = Old.getDataLayout();
  Uses.Object = createCopies(Old, inARow(Old.getValueType(), Copies, Alignment, DL), Alignment);
  return {.Between = alignTo(DL.getTypeAllocSize(Old.getValueType()), Alignment)};
}

CopyPlaces privatise(ObjectUses &Uses, SharedLayout Layout, unsigned Copies) {
  auto &Old = *cast<GlobalVariable>(Uses.Object);
  Align Alignment = arrayAlignment(Old);
  if (any_of(Uses.Accesses, [](const Instruction *Access) { return isa<IntrinsicInst>(Access); }))
    Alignment = std::max(Alignment, Align(WidestAccessBytes));
  CopyPlaces Places = Layout == SharedLayout::Blocked ? copyBlocked(Uses, Copies, Alignment)
                                                      : copySideBySide(Uses, Layout, Copies, Alignment);
  auto &New = *cast<GlobalVariable>(Uses.Object);
  // An access may have known more of where the array lay than its alignment says.
  for (Instruction *Access : Uses.Accesses)
    setAccessAlignment(*Access, std::min(accessAlignment(*Access), Alignment));
  replaceInFunction(Old, New, *Uses.Accesses.front()->getFunction());
  Old.removeDeadConstantUsers();
  if (Old.use_empty() && Old.isDiscardableIfUnused())
    Old.eraseFromParent();
  return Places;
}

} // namespace gpuprune
