//===- LoadHazards.cpp - Whether a load may be made earlier -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadHazards.h"
#include "Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

using Objects = SmallVector<const Value *, 4>;

bool isBlockBarrier(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && Operation->Kind == OperationKind::Barrier && Operation->Scope <= OperationScope::Block;
}

bool isSyncThreads(const Instruction &I) {
  return isBlockBarrierOfAll(I) && classify(I)->Reached == Collective::Aligned;
}

/// Whether \p Call may write memory that others read, or wait for others.
static bool isOpaque(const CallBase &Call) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  bool IsKnown = Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() || isa<MemIntrinsic>(Call));
  return !IsKnown && !Call.onlyReadsMemory() && !Call.onlyAccessesInaccessibleMemory() &&
         !isBlockBarrier(Call) && !isOperation(Call, OperationKind::Fence);
}

static bool isWrite(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isa<MemIntrinsic>(Call) || isOpaque(*Call);
  return I.mayWriteToMemory() && !isa<FenceInst>(I);
}

/// Whether \p I may order what other threads wrote before what follows it, beyond
/// what a barrier of the block does.
static bool ordersOthers(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isOperation(I, OperationKind::Fence) || isOpaque(*Call);
  return I.isVolatile() || I.isAtomic();
}

/// Whose writes a loop can wait for, from none to most.
enum class Waits { ForNobody, ForBlock, ForKernel };

static Waits waitsOf(Function &F, const Loop &L) {
  Waits Result = Waits::ForNobody;
  bool OrderAnywhere = false;
  for (const Instruction &I : instructions(F)) {
    OrderAnywhere |= ordersOthers(I);
    if (L.contains(&I) && (isBlockBarrier(I) || ordersOthers(I)))
      Result = std::max(Result, isSyncThreads(I) ? Waits::ForBlock : Waits::ForKernel);
  }
  // A block's other threads may have waited for other blocks.
  return Result == Waits::ForBlock && OrderAnywhere ? Waits::ForKernel : Result;
}

LoadHazards::LoadHazards(Function &F, const Loop *L, FunctionAnalysisManager &FAM)
    : L(L), TypeBased(FAM.getResult<TypeBasedAA>(F)), Types(FAM.getResult<TargetLibraryAnalysis>(F)) {
  Types.addAAResult(TypeBased);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  Waits Wait = L ? waitsOf(F, *L) : Waits::ForKernel;
  for (Instruction &I : instructions(F)) {
    bool InLoop = !L || L->contains(&I);
    if (InLoop && !Order && ordersOthers(I))
      Order = &I;
    bool Counts =
        InLoop || Wait == Waits::ForKernel ||
        (Wait == Waits::ForBlock && isPotentiallyReachable(I.getParent(), L->getHeader(), nullptr, &DT, &LI));
    if (isWrite(I) && Counts)
      Writes.push_back(&I);
  }
}

Objects objectsOf(const Value &Pointer) {
  Objects Found;
  // Through the PHIs of loops too, for it is asked about different iterations.
  getUnderlyingObjects(&Pointer, Found, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Found;
}

static bool isNoAliasArgument(const Value &Object) {
  const auto *A = dyn_cast<Argument>(&Object);
  return A && A->hasNoAliasAttr();
}

static bool isConstantObject(const Value &Object) {
  const auto *Variable = dyn_cast<GlobalVariable>(&Object);
  return Variable && (Variable->isConstant() || Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST);
}

static bool isDynamicSharedArray(const Value &Object) {
  const auto *Variable = dyn_cast<GlobalVariable>(&Object);
  return Variable && isDynamicShared(*Variable);
}

bool isDisjoint(const Value &A, const Value &B) {
  if (&A == &B || (isDynamicSharedArray(A) && isDynamicSharedArray(B)))
    return false;
  unsigned SpaceA = A.getType()->getPointerAddressSpace(), SpaceB = B.getType()->getPointerAddressSpace();
  bool Specific = SpaceA != NVPTXAS::ADDRESS_SPACE_GENERIC && SpaceB != NVPTXAS::ADDRESS_SPACE_GENERIC;
  if ((Specific && SpaceA != SpaceB) || (isIdentifiedObject(&A) && isIdentifiedObject(&B)))
    return true;
  auto IsApart = [](const Value &Own, const Value &Other) {
    return isIdentifiedFunctionLocal(&Own) &&
           (isa<Argument>(Other) || !PointerMayBeCaptured(&Own, /*ReturnCaptures=*/true));
  };
  return IsApart(A, B) || IsApart(B, A);
}

/// Where \p Write writes; nullptr where that is not known.
static const Value *writtenPointer(const Instruction &Write) {
  if (const auto *Mem = dyn_cast<MemIntrinsic>(&Write))
    return Mem->getRawDest();
  return accessedPointer(Write);
}

static MemoryLocation locationByType(const Value *Pointer, const Instruction &Access) {
  AAMDNodes Tags;
  Tags.TBAA = Access.getMetadata(LLVMContext::MD_tbaa);
  return MemoryLocation(Pointer, LocationSize::beforeOrAfterPointer(), Tags);
}

/// Where \p Access reads or writes; empty where that is not known.
static SmallVector<const Value *, 2> accessedPointers(const Instruction &Access) {
  if (const auto *Transfer = dyn_cast<MemTransferInst>(&Access))
    return {Transfer->getRawDest(), Transfer->getRawSource()};
  if (const Value *Pointer = writtenPointer(Access))
    return {Pointer};
  return {};
}

/// The scopes of \p List that hold in all iterations; null where it has none.
static MDNode *kernelScopes(const MDNode *List) {
  SmallVector<Metadata *, 4> Scopes;
  for (const MDOperand &Scope : List ? List->operands() : ArrayRef<MDOperand>()) {
    const MDNode *Domain = AliasScopeNode(cast<MDNode>(Scope)).getDomain();
    const auto *Name =
        Domain && Domain->getNumOperands() > 1 ? dyn_cast<MDString>(Domain->getOperand(1)) : nullptr;
    if (Name && Name->getString() == KernelScopes)
      Scopes.push_back(Scope);
  }
  return Scopes.empty() ? nullptr : MDNode::get(List->getContext(), Scopes);
}

/// Whether \p A and \p B, neither of which is a call, access other memory in any iterations.
static bool areApartByScope(const Instruction &A, const Instruction &B, const AAResults &AA) {
  if (!getLoadStorePointerOperand(&A) || !getLoadStorePointerOperand(&B))
    return false;
  auto LocationOf = [](const Instruction &I) {
    AAMDNodes Tags;
    Tags.Scope = kernelScopes(I.getMetadata(LLVMContext::MD_alias_scope));
    Tags.NoAlias = kernelScopes(I.getMetadata(LLVMContext::MD_noalias));
    return MemoryLocation(getLoadStorePointerOperand(&I), LocationSize::beforeOrAfterPointer(), Tags);
  };
  SimpleAAQueryInfo Query(const_cast<AAResults &>(AA));
  return ScopedNoAliasAAResult().alias(LocationOf(A), LocationOf(B), Query, nullptr) == AliasResult::NoAlias;
}

bool LoadHazards::mayTouch(const Instruction &Write, const Instruction &Access) const {
  if (areApartByScope(Write, Access, Types))
    return false;
  SmallVector<const Value *, 2> Pointers = accessedPointers(Access);
  return Pointers.empty() ||
         any_of(Pointers, [&](const Value *Pointer) { return mayTouch(Write, *Pointer, Access); });
}

bool LoadHazards::mayTouch(const Instruction &Write, const Value &Pointer, const Instruction &Access) const {
  Objects Accessed = objectsOf(Pointer);
  const Value *Written = writtenPointer(Write);
  if (!Written)
    return any_of(Accessed, [](const Value *Object) {
      return !isNoAliasArgument(*Object) || PointerMayBeCaptured(Object, /*ReturnCaptures=*/true);
    });
  unsigned SpaceA = Pointer.getType()->getPointerAddressSpace(),
           SpaceW = Written->getType()->getPointerAddressSpace();
  if (SpaceA != SpaceW && SpaceA != NVPTXAS::ADDRESS_SPACE_GENERIC &&
      SpaceW != NVPTXAS::ADDRESS_SPACE_GENERIC)
    return false;
  Objects Targets = objectsOf(*Written);
  bool Apart = all_of(Accessed, [&](const Value *A) {
    return all_of(Targets, [&](const Value *B) { return isDisjoint(*A, *B); });
  });
  if (Apart)
    return false;
  // Which arrays of different types may share.
  if (any_of(Accessed, [](const Value *Object) { return isDynamicSharedArray(*Object); }))
    return true;
  SimpleAAQueryInfo Query(const_cast<AAResults &>(Types));
  return TypeBased.alias(locationByType(&Pointer, Access), locationByType(Written, Write), Query, nullptr) !=
         AliasResult::NoAlias;
}

Verdict LoadHazards::check(const LoadInst &Load) const {
  if (Load.hasMetadata(LLVMContext::MD_invariant_load))
    return std::nullopt;
  for (const Instruction *Write : Writes)
    if (mayTouch(*Write, Load))
      return Refusal::at(RefusalKind::MayBeWritten, *Write,
                         !L                   ? "this may write what is read"
                         : L->contains(Write) ? "this may write what is read ahead of it"
                                              : "this may write what, ordered by a barrier of the loop, is "
                                                "read ahead of it");
  bool ReadOnly = all_of(objectsOf(*Load.getPointerOperand()), [](const Value *Object) {
    return isNoAliasArgument(*Object) || isConstantObject(*Object);
  });
  if (Order && !ReadOnly)
    return Refusal::at(RefusalKind::Synchronisation, *Order,
                       formatv("this may wait for another thread's write of what {0}",
                               L ? "would be read ahead of it" : "is read"));
  return std::nullopt;
}

} // namespace gpuprune
