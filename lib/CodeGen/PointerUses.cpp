//===- PointerUses.cpp - What a kernel does with what it is given --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/PointerUses.h"
#include "PreparedKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

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

/// Follows pointers of the same value through a function.
class UseWalk {
public:
  UseWalk(Function &Kernel, ArrayRef<Value *> Same) : Kernel(Kernel), Pointers(Same.begin(), Same.end()) {}
  PointerUse run();

private:
  Function &Kernel;
  SetVector<Value *> Pointers;
  /// Of all accesses; of floating-point accesses; of structures that are copied whole, as integers.
  std::optional<ElementType> Type, Real, Copied;
  bool SeesAll = true, Writes = false, Reads = false, IsSeen = false, IsKept = false;

  void visit(Use &U);
  void followUses();
  void followKept();
  void compare(const ICmpInst &I, const Value &Other);
  void access(llvm::Type *T);
  void call(CallBase &Call, Use &U);
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
  bool IsWritten = isa<MemIntrinsic>(Call) && U.getOperandNo() == 0;
  Reads |= !IsWritten && !isa<AssumeInst, LifetimeIntrinsic>(Call);
  SeesAll &= isa<LifetimeIntrinsic>(Call);
  IsSeen |= !isa<MemIntrinsic, AssumeInst, LifetimeIntrinsic>(Call);
}

/// With null, and with another pointer into the same object, the same is found wherever that lies.
void UseWalk::compare(const ICmpInst &I, const Value &Other) {
  if (isa<ConstantPointerNull>(Other.stripPointerCasts()))
    return;
  SmallVector<const Value *, 4> Objects;
  for (const Value *Operand : I.operand_values())
    getUnderlyingObjects(Operand, Objects, nullptr, /*MaxLookup=*/0);
  IsSeen |= !all_equal(Objects);
}

void UseWalk::visit(Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Reads = true;
    access(Load->getType());
  } else if (auto *Store = dyn_cast<StoreInst>(I)) {
    Writes = true; // Also where the pointer itself is stored, and may come from there again.
    if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
      access(Store->getValueOperand()->getType());
    else
      SeesAll = !(IsSeen = IsKept = Reads = true);
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(I)) {
    Writes = Reads = true;
    access(Atomic->getValOperand()->getType());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(I)) {
    Writes = Reads = true;
    access(Exchange->getNewValOperand()->getType());
  } else if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(I)) {
    Pointers.insert(I);
    if (auto *Place = dyn_cast<GetElementPtrInst>(I); Place && !Copied)
      Copied = realMembers(Place->getSourceElementType());
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    call(*Call, U);
  } else if (auto *Comparison = dyn_cast<ICmpInst>(I)) {
    compare(*Comparison, *Comparison->getOperand(1 - U.getOperandNo()));
  } else {
    SeesAll = false;
    Writes = Reads = IsSeen = true;
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
  return {SeesAll && !IsCopied ? Type : Real, Writes, Reads, IsSeen};
}

namespace {

/// Where the pointers come from by which a kernel accesses memory.
class Origins {
public:
  explicit Origins(Function &Kernel) : Kernel(Kernel), DL(Kernel.getDataLayout()) {}
  PointerUses run();

private:
  using Place = std::pair<unsigned, uint64_t>; ///< A parameter, and an offset in it.
  Function &Kernel;
  const DataLayout &DL;
  SetVector<Value *> Loaded; ///< From structures that are passed by value.
  bool HasOthers = false, OthersMayWrite = false;
  bool IsInKernel = true; ///< What is looked at; else in a function that it calls.

  void lookAt(Instruction &I);
  void access(Value &Pointer, bool MayWrite);
  void call(CallBase &Call);
  std::optional<Place> placeOf(const Value &V) const;
};

} // namespace

/// Where in a structure that is passed by value \p V was loaded from.
std::optional<Origins::Place> Origins::placeOf(const Value &V) const {
  const auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load)
    return std::nullopt;
  const Value *From = Load->getPointerOperand();
  APInt Offset(DL.getIndexTypeSizeInBits(From->getType()), 0);
  From = From->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  const auto *A = dyn_cast<Argument>(getUnderlyingObject(From));
  bool IsKnown = A && A->hasByValAttr() && From->stripPointerCasts() == A && Offset.isNonNegative();
  return IsKnown ? std::optional(Place(A->getArgNo(), Offset.getZExtValue())) : std::nullopt;
}

void Origins::access(Value &Pointer, bool MayWrite) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    if (isa<Argument, AllocaInst, GlobalVariable, ConstantPointerNull, UndefValue>(Object))
      continue;
    if (IsInKernel && placeOf(*Object)) {
      Loaded.insert(const_cast<Value *>(Object));
      continue;
    }
    HasOthers = true;
    OthersMayWrite |= MayWrite;
  }
}

/// In inline assembly an integer may be an address.
void Origins::call(CallBase &Call) {
  if (Call.doesNotAccessMemory() || isa<AssumeInst, LifetimeIntrinsic>(Call))
    return;
  if (Call.isIndirectCall()) // Of what it calls nothing is known.
    HasOthers = OthersMayWrite = true;
  for (Use &U : Call.args()) {
    bool MayWrite = !Call.onlyReadsMemory() && !Call.onlyReadsMemory(Call.getArgOperandNo(&U));
    if (U->getType()->isPointerTy()) {
      access(*U, MayWrite);
    } else if (Call.isInlineAsm() && U->getType()->isIntegerTy(64) && !isa<Constant>(U)) {
      HasOthers = true;
      OthersMayWrite |= MayWrite;
    }
  }
}

void Origins::lookAt(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    access(*Load->getPointerOperand(), /*MayWrite=*/false);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    access(*Store->getPointerOperand(), /*MayWrite=*/true);
  else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    access(*Atomic->getPointerOperand(), /*MayWrite=*/true);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    access(*Exchange->getPointerOperand(), /*MayWrite=*/true);
  else if (auto *Call = dyn_cast<CallBase>(&I))
    call(*Call);
}

/// What was not inlined, too; what it accesses by its parameters is looked at where it is called.
static SetVector<Function *> withCalled(Function &Kernel) {
  SetVector<Function *> All;
  All.insert(&Kernel);
  for (size_t Next = 0; Next != All.size(); ++Next)
    for (Instruction &I : instructions(*All[Next]))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Called = Call->getCalledFunction(); Called && !Called->isDeclaration())
          All.insert(Called);
  return All;
}

PointerUses Origins::run() {
  for (Function *F : withCalled(Kernel)) {
    IsInKernel = F == &Kernel;
    for (Instruction &I : instructions(*F))
      lookAt(I);
  }
  PointerUses Found;
  for (Argument &A : Kernel.args()) {
    bool IsPointer = A.getType()->isPointerTy() && !A.hasByValAttr();
    Found.Parameters.push_back(IsPointer ? UseWalk(Kernel, {&A}).run() : PointerUse());
  }
  std::map<Place, std::vector<Value *>> Fields;
  for (Value *V : Loaded)
    Fields[*placeOf(*V)].push_back(V);
  for (const auto &[At, Same] : Fields)
    Found.Fields.push_back({At.first, At.second, UseWalk(Kernel, Same).run()});
  Found.HasOthers = HasOthers;
  Found.OthersMayWrite = OthersMayWrite;
  return Found;
}

bool PointerUses::needAddresses() const {
  return HasOthers || !Fields.empty() || any_of(Parameters, [](const PointerUse &U) { return U.IsSeen; });
}

Expected<PointerUses> pointerUses(StringRef Bitcode, StringRef Kernel) {
  return askPreparedKernel(Bitcode, Kernel, [](Function &F) { return Origins(F).run(); });
}

} // namespace gpuprune
