//===- PrivateShared.cpp - A copy of a shared array for each replica --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrivateShared.h"
#include "Coarsening.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// Bytes; more than any access or copy asks of an address.
static constexpr uint64_t LargestTest = 128;

void sharedUsesToInstructions(Function &F) {
  SmallVector<Constant *, 4> Shared;
  for (GlobalVariable &Variable : F.getParent()->globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      Shared.push_back(&Variable);
  convertUsersOfConstantsToInstructions(Shared, &F, /*RemoveDeadConstants=*/false);
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

/// The alignment up to which all that follows from the number \p Address asks how the address is aligned,
/// that is, follows from its low bits alone; none where the rest of the address matters.
static MaybeAlign testedAlignment(Instruction &Address) {
  if (!isa<PtrToIntInst, PtrToAddrInst>(Address))
    return std::nullopt;
  Align Tested;
  SmallSetVector<Instruction *, 8> Numbers;
  Numbers.insert(&Address);
  for (size_t N = 0; N < Numbers.size(); ++N)
    for (User *U : Numbers[N]->users()) {
      auto *I = cast<Instruction>(U);
      const APInt *Mask = nullptr;
      if (match(I, m_And(m_Value(), m_APInt(Mask))) && Mask->ult(LargestTest))
        Tested = std::max(Tested, Align(PowerOf2Ceil(Mask->getZExtValue() + 1)));
      else if (isa<TruncInst>(I) ||
               (isa<BinaryOperator>(I) &&
                is_contained({Instruction::Or, Instruction::Xor, Instruction::Add, Instruction::Sub},
                             I->getOpcode())))
        Numbers.insert(I);
      else
        return std::nullopt;
    }
  return Tested;
}

static bool isMarker(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
}

/// Whether the initial value of a variable holds the address of \p Object, so that it is read from memory.
static bool isInInitialValue(const Value &Object) {
  return isa<GlobalVariable>(Object) &&
         any_of(addressUsers(Object).Variables,
                [](const GlobalVariable *Holder) { return !Holder->getName().starts_with("llvm."); });
}

Verdict collectUses(Value &Object, const Function &F, ObjectUses &Uses) {
  Uses.Object = &Object;
  if (isInInitialValue(Object))
    return Refusal::inFunction(
        RefusalKind::PointerEscapes, F,
        formatv("the address of '{0}' is in the initial value of a variable", Object.getName()));
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
      } else if (MaybeAlign Tested = testedAlignment(*I)) {
        Uses.Test = I;
        Uses.Tested = std::max(Uses.Tested, *Tested);
      } else if (!isMarker(*I) && !isa<ICmpInst>(I)) { // Copies lie to each other as the arrays do.
        return Refusal::at(
            RefusalKind::PointerEscapes, *I,
            formatv("the address of '{0}' goes where it cannot be followed", Object.getName()));
      }
    }
  }
  return std::nullopt;
}

bool pointsOnlyTo(const ObjectUses &Uses, const Instruction &I) {
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

static void replaceInFunction(GlobalVariable &Old, GlobalVariable &New, const Function &F) {
  Old.replaceUsesWithIf(&New, [&](Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I->getFunction() == &F;
  });
}

static Align arrayAlignment(const GlobalVariable &Array) {
  Align Known = Array.getDataLayout().getValueOrABITypeAlignment(Array.getAlign(), Array.getValueType());
  return isDynamicShared(Array) ? std::max(Known, Align(SharedCopyAlignment)) : Known;
}

/// In the order of their first uses.
static SetVector<GlobalVariable *> dynamicArrays(const Function &F) {
  SetVector<GlobalVariable *> Found;
  for (const Instruction &I : instructions(F))
    for (Value *Operand : I.operands())
      if (isSharedArray(Operand) && isDynamicShared(*cast<GlobalVariable>(Operand)))
        Found.insert(cast<GlobalVariable>(Operand));
  return Found;
}

bool hasDynamicShared(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &V) { return isSharedArray(&V) && isDynamicShared(V); });
}

void uniteDynamicShared(Function &F) {
  SetVector<GlobalVariable *> Arrays = dynamicArrays(F);
  if (Arrays.empty())
    return;
  // The one that promises most about where they begin.
  GlobalVariable &One = **max_element(Arrays, [](const GlobalVariable *A, const GlobalVariable *B) {
    return arrayAlignment(*A) < arrayAlignment(*B);
  });
  for (GlobalVariable *Array : Arrays)
    if (Array != &One)
      replaceInFunction(*Array, One, F);
}

void flattenFields(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *GEP = dyn_cast<GetElementPtrInst>(&I);
    if (!GEP || !indexesElement(*GEP))
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(GEP, Objects, nullptr, /*MaxLookup=*/0);
    if (none_of(Objects, isSharedArray))
      continue;
    IRBuilder<> B(GEP);
    Value *Offset = emitGEPOffset(&B, F.getDataLayout(), GEP);
    // Not by the builder: it folds, and later dimensions look for the array's uses among instructions.
    auto *Flat =
        GetElementPtrInst::Create(B.getInt8Ty(), GEP->getPointerOperand(), {Offset}, "", GEP->getIterator());
    Flat->setNoWrapFlags(GEP->getNoWrapFlags());
    Flat->setDebugLoc(GEP->getDebugLoc());
    Flat->takeName(GEP);
    GEP->replaceAllUsesWith(Flat);
    GEP->eraseFromParent();
  }
}

static Verdict canInterleave(const ObjectUses &Uses) {
  const auto &Array = *cast<GlobalVariable>(Uses.Object);
  const DataLayout &DL = Array.getDataLayout();
  std::optional<uint64_t> Size;
  for (const Instruction *Access : Uses.Accesses) {
    if (isa<IntrinsicInst>(Access))
      return Refusal::at(RefusalKind::MixedAccessSizes, *Access,
                         formatv("copies of '{0}' cannot be interleaved: it is read or written in rows",
                                 Uses.Object->getName()));
    uint64_t Bytes = DL.getTypeStoreSize(accessedType(*Access));
    Align Known = std::min(accessAlignment(*Access), arrayAlignment(Array));
    if (!isPowerOf2_64(Bytes) || Size.value_or(Bytes) != Bytes || Known.value() < Bytes)
      return Refusal::at(RefusalKind::MixedAccessSizes, *Access,
                         formatv("copies of '{0}' cannot be interleaved: its elements are not all read and "
                                 "written with one naturally aligned size",
                                 Uses.Object->getName()));
    Size = Bytes;
  }
  return std::nullopt;
}

/// Copies side by side: all, or as many as fill the widest access and leave no group short.
static unsigned groupSize(SharedLayout Layout, unsigned Copies, uint64_t ElementBytes) {
  if (Layout == SharedLayout::Interleaved || Copies * ElementBytes <= WidestAccessBytes)
    return Copies;
  uint64_t Fitting = std::max<uint64_t>(WidestAccessBytes / ElementBytes, 1);
  return std::min<uint64_t>(Fitting, Copies & -Copies);
}

static uint64_t accessedBytes(const Instruction &Access) {
  return Access.getDataLayout().getTypeStoreSize(accessedType(Access));
}

Verdict planPrivate(PrivateArray &Array, SharedLayout Layout, unsigned Copies) {
  const ObjectUses &Uses = Array.Uses;
  if (Uses.Test && (Layout == SharedLayout::Interleaved ||
                    (Array.isDynamic() && Uses.Tested > Align(SharedCopyAlignment))))
    return Refusal::at(
        RefusalKind::PointerEscapes, *Uses.Test,
        formatv("copies of '{0}' would not all be aligned as this asks", Uses.Object->getName()));
  for (const Instruction *Access : Uses.Accesses)
    if (isa<MemIntrinsic>(Access))
      return Refusal::at(
          RefusalKind::MemoryIntrinsic, *Access,
          formatv("'{0}' is privatised and copied or filled as a whole", Uses.Object->getName()));
  const auto *Mixed = find_if(Uses.Pointers, [&](const Instruction *I) { return !pointsOnlyTo(Uses, *I); });
  Array.Mixed = Mixed == Uses.Pointers.end() ? nullptr : *Mixed;
  // What a pointer goes on by after it was mixed is the same for all it may point to.
  if (Layout != SharedLayout::Blocked && !Array.Mixed && !Uses.Test && !Uses.Accesses.empty()) {
    Verdict Refused = canInterleave(Uses);
    if (Refused && Layout == SharedLayout::Interleaved)
      return Refused;
    if (!Refused)
      Array.Group = groupSize(Layout, Copies, accessedBytes(*Uses.Accesses.front()));
  }
  Array.Based = Array.Mixed || (Array.isDynamic() && Array.Group < Copies);
  return std::nullopt;
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

/// A variable with room for the copies takes the place of the array.
static CopyPlaces copyStatic(PrivateArray &Array, unsigned Copies, Align Alignment) {
  auto &Old = *cast<GlobalVariable>(Array.Uses.Object);
  const Function &F = *Array.Uses.Accesses.front()->getFunction();
  const DataLayout &DL = Old.getDataLayout();
  Type *OfGroup = Array.Group == 1 ? Old.getValueType() : interleaved(Old.getValueType(), Array.Group);
  GlobalVariable *New = createCopies(Old, inARow(OfGroup, Copies / Array.Group, Alignment, DL), Alignment);
  Array.Uses.Object = New;
  replaceInFunction(Old, *New, F);
  Old.removeDeadConstantUsers();
  if (Old.use_empty() && Old.isDiscardableIfUnused())
    Old.eraseFromParent();
  return {.Group = Array.Group, .Between = alignTo(DL.getTypeAllocSize(OfGroup), Alignment)};
}

Value *DynamicMemory::bytes(IRBuilderBase &B, unsigned Groups) const {
  static_assert(isPowerOf2_64(SharedCopyAlignment));
  Value *Ended = B.CreateAdd(AuthorBytes, B.getInt32(SharedCopyAlignment - 1), "", /*HasNUW=*/true);
  Value *Copy = B.CreateAnd(Ended, B.getInt32(-int32_t(SharedCopyAlignment)), "shared.copy");
  return B.CreateMul(Copy, B.getInt32(Copies * Groups), "shared.group", /*HasNUW=*/true, /*HasNSW=*/true);
}

DynamicMemory dynamicMemoryOf(Function &F, const LaunchContract &Contract) {
  DynamicMemory Dynamic;
  Dynamic.Copies = Contract.SharedCopies;
  if (std::optional<unsigned> Hidden = Contract.hidden(HiddenParameter::SharedBytes))
    Dynamic.AuthorBytes = F.getArg(F.arg_size() - Contract.Hidden.size() + *Hidden);
  return Dynamic;
}

Verdict askForCopies(Function &F, const DynamicMemory &Dynamic, LaunchContract &Contract) {
  if (Dynamic.Copies == uint64_t(Contract.SharedCopies))
    return std::nullopt;
  if (!isUInt<32>(Dynamic.Copies))
    return Refusal::inFunction(
        RefusalKind::TooLarge, F,
        formatv("there would be {0} copies of its dynamic shared memory", Dynamic.Copies));
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Read = dyn_cast<IntrinsicInst>(&I);
        Read && Read->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size) {
      Read->replaceAllUsesWith(Dynamic.AuthorBytes);
      Read->eraseFromParent();
    }
  Contract.SharedCopies = int64_t(Dynamic.Copies);
  return std::nullopt;
}

/// Where the groups of replicas 1 and up begin: computed before all else.
static void createBases(const PrivateArray &Array, unsigned Copies, uint64_t Between,
                        const DynamicMemory &Dynamic, SmallVectorImpl<Value *> &Bases) {
  BasicBlock &Entry = Array.Uses.Accesses.front()->getFunction()->getEntryBlock();
  IRBuilder<> B(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Value *Step = Array.isDynamic() ? Dynamic.bytes(B, Array.Group) : B.getInt32(Between);
  SmallVector<Value *, 8> OfGroup{Array.Uses.Object};
  for (unsigned Group = 1; Group < Copies / Array.Group; ++Group) {
    Value *Distance = B.CreateMul(Step, B.getInt32(Group), "", /*HasNUW=*/true, /*HasNSW=*/true);
    // Not by the builder: it folds, and later dimensions look for the array's uses among instructions.
    OfGroup.push_back(GetElementPtrInst::CreateInBounds(B.getInt8Ty(), Array.Uses.Object, {Distance}, "base",
                                                        B.GetInsertPoint()));
  }
  for (unsigned Replica = 1; Replica < Copies; ++Replica)
    Bases.push_back(OfGroup[Replica / Array.Group]);
}

CopyPlaces privatise(PrivateArray &Array, unsigned Copies, DynamicMemory &Dynamic,
                     SmallVectorImpl<Value *> &Bases) {
  assert(Copies > 1 && Copies % Array.Group == 0 && "planPrivate makes groups of one size");
  auto &Old = *cast<GlobalVariable>(Array.Uses.Object);
  // Where the array lies is the assembler's choice: where it is tested for it, a place that passes.
  Align Alignment = std::max(arrayAlignment(Old), Array.Uses.Tested);
  // A group is what a 128-bit access reads, so the next one has to begin where one may.
  if (Array.Group > 1 ||
      any_of(Array.Uses.Accesses, [](const Instruction *I) { return isa<IntrinsicInst>(I); }))
    Alignment = std::max(Alignment, Align(WidestAccessBytes));
  CopyPlaces Places{.Group = Array.Group};
  if (Array.isDynamic()) {
    Old.setAlignment(Alignment);
    Alignment = std::min(Alignment, Align(SharedCopyAlignment));
  } else {
    Places = copyStatic(Array, Copies, Alignment);
  }
  if (Array.Group > 1) {
    Places.Within = accessedBytes(*Array.Uses.Accesses.front());
    for (Instruction *Pointer : Array.Uses.Pointers)
      if (auto *GEP = dyn_cast<GetElementPtrInst>(Pointer))
        scaleOffset(*GEP, Array.Group);
  }
  // An access may have known more of where the array lay than its alignment says.
  for (Instruction *Access : Array.Uses.Accesses)
    setAccessAlignment(*Access, std::min(accessAlignment(*Access), Alignment));
  if (Array.Based) {
    createBases(Array, Copies, Places.Between, Dynamic, Bases);
    Places.Between = 0;
  }
  if (Array.isDynamic())
    Dynamic.Copies *= Copies;
  return Places;
}

} // namespace gpuprune
