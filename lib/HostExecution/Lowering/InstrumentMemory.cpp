//===- InstrumentMemory.cpp - Lets the runtime see accesses to memory ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/SourcePlace.h"
#include "HostLowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What an instruction does with memory.
struct Access {
  AccessKind Kind;
  Value *Address;
  Value *Bytes;        ///< i64
  uint32_t Used = ~0u; ///< As in MemoryAccess.
};

} // namespace

static void addAccess(SmallVectorImpl<Access> &Found, AccessKind Kind, Value *Address, Type *Accessed,
                      const DataLayout &DL) {
  Type *Word = Type::getInt64Ty(Accessed->getContext());
  Found.push_back({Kind, Address, ConstantInt::get(Word, DL.getTypeStoreSize(Accessed))});
}

/// A load or store \p I, of a packed structure in pieces, as its alignment allows them.
static void addPieces(SmallVectorImpl<Access> &Found, AccessKind Kind, Instruction &I, const DataLayout &DL) {
  Type *Accessed = getLoadStoreType(&I);
  uint64_t Bytes = DL.getTypeStoreSize(Accessed), Piece = getLoadStoreAlignment(&I).value();
  Value *Address = getLoadStorePointerOperand(&I);
  if (!isPowerOf2_64(Bytes) || Piece >= Bytes)
    return addAccess(Found, Kind, Address, Accessed, DL);
  IRBuilder<> B(&I);
  for (uint64_t Offset = 0; Offset != Bytes; Offset += Piece)
    Found.push_back({Kind, B.CreateConstGEP1_64(B.getInt8Ty(), Address, Offset), B.getInt64(Piece)});
}

/// The bytes of the elements that \p Mask names, all where it is not known.
static uint32_t usedBytes(const Value *Mask, FixedVectorType *Vector, const DataLayout &DL) {
  const auto *Known = dyn_cast<Constant>(Mask);
  uint64_t ElementBytes = DL.getTypeStoreSize(Vector->getElementType());
  uint32_t Used = 0;
  for (unsigned I = 0; I != Vector->getNumElements(); ++I) {
    Constant *Bit = Known ? Known->getAggregateElement(I) : nullptr;
    if (!Bit || (I + 1) * ElementBytes > 32)
      return ~0u;
    if (!Bit->isNullValue())
      Used |= maskTrailingOnes<uint32_t>(ElementBytes) << (I * ElementBytes);
  }
  return Used;
}

/// Vectors with gaps: PTX accesses all of them.
static void addMaskedAccess(SmallVectorImpl<Access> &Found, const IntrinsicInst &I, const DataLayout &DL) {
  bool IsLoad = I.getIntrinsicID() == Intrinsic::masked_load;
  auto *Vector = cast<FixedVectorType>(IsLoad ? I.getType() : I.getArgOperand(0)->getType());
  addAccess(Found, IsLoad ? AccessKind::Load : AccessKind::Store, I.getArgOperand(IsLoad ? 0 : 1), Vector,
            DL);
  Found.back().Used = usedBytes(I.getArgOperand(IsLoad ? 1 : 2), Vector, DL);
}

static bool isMaskedAccess(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic &&
         is_contained({Intrinsic::masked_load, Intrinsic::masked_store}, Intrinsic->getIntrinsicID());
}

/// What functions of the runtime access on behalf of the kernel.
static void addRuntimeAccesses(SmallVectorImpl<Access> &Found, CallInst &Call) {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  IRBuilder<> B(&Call);
  auto Bytes = [&](unsigned Argument) { return B.CreateZExt(Call.getArgOperand(Argument), B.getInt64Ty()); };
  if (Name == "gpuprune_cp_async") {
    Found.push_back({AccessKind::Load, Call.getArgOperand(2), Bytes(4)});
    Found.push_back({AccessKind::Store, Call.getArgOperand(1), Bytes(3)});
  } else if (Name == "gpuprune_atomic_packed") // Of 16 bits each.
    Found.push_back({AccessKind::Atomic, Call.getArgOperand(1), B.CreateMul(Bytes(4), B.getInt64(2))});
}

static SmallVector<Access, 2> accessesOf(Instruction &I, const DataLayout &DL) {
  SmallVector<Access, 2> Found;
  if (I.hasMetadata(ThreadAccess::InternalAccess))
    return Found;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    addPieces(Found, AccessKind::Load, *Load, DL);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    addPieces(Found, AccessKind::Store, *Store, DL);
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    addAccess(Found, AccessKind::Atomic, RMW->getPointerOperand(), RMW->getType(), DL);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    addAccess(Found, AccessKind::Atomic, Exchange->getPointerOperand(),
              Exchange->getCompareOperand()->getType(), DL);
  else if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&I)) {
    IRBuilder<> B(&I);
    Value *Bytes = B.CreateZExtOrTrunc(Memory->getLength(), B.getInt64Ty());
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
      Found.push_back({AccessKind::Load, Transfer->getRawSource(), Bytes});
    Found.push_back({AccessKind::Store, Memory->getRawDest(), Bytes});
  } else if (isMaskedAccess(I))
    addMaskedAccess(Found, cast<IntrinsicInst>(I), DL);
  else if (auto *Call = dyn_cast<CallInst>(&I))
    addRuntimeAccesses(Found, *Call);
  return Found;
}

/// Local arrays, arguments and tables in the code: nothing that moves data, and but for arguments nothing
/// that a kernel can get wrong unnoticed.
static bool isPrivate(const Value *Object) {
  if (isa<AllocaInst>(Object))
    return true;
  if (auto *A = dyn_cast<Argument>(Object))
    return A->hasByValAttr();
  auto *GV = dyn_cast<GlobalVariable>(Object);
  return GV && GV->isConstant() && GV->hasLocalLinkage();
}

/// Has \p A, an access of \p I to \p Object, watched where that is a structure passed by value and the place
/// in it is not known: what lies behind it on this machine is no buffer's, and seldom a fault.
static void watchParameter(Instruction &I, const Access &A, const Value *Object, ThreadAccess &Threads) {
  const auto *Parameter = dyn_cast<Argument>(Object);
  if (!Parameter)
    return;
  Module &M = *I.getModule();
  uint64_t All = M.getDataLayout().getTypeAllocSize(Parameter->getParamByValType());
  APInt Offset(M.getDataLayout().getIndexTypeSizeInBits(A.Address->getType()), 0);
  const Value *Base = A.Address->stripAndAccumulateConstantOffsets(M.getDataLayout(), Offset,
                                                                   /*AllowNonInbounds=*/true);
  const auto *Bytes = dyn_cast<ConstantInt>(A.Bytes);
  if (Base == Parameter && Bytes && Offset.isNonNegative() &&
      Offset.getZExtValue() + Bytes->getZExtValue() <= All)
    return;
  IRBuilder<> B(&I);
  auto Generic = [&](Value *Address) { return B.CreateAddrSpaceCast(Address, B.getPtrTy()); };
  SmallVector<Value *> Arguments{Threads.thread(*I.getFunction()),
                                 Generic(const_cast<Argument *>(Parameter)),
                                 B.getInt64(All),
                                 B.getInt32(Parameter->getArgNo()),
                                 Generic(A.Address),
                                 A.Bytes};
  SmallVector<Type *> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  B.CreateCall(
      M.getOrInsertFunction("gpuprune_watch_parameter", FunctionType::get(B.getVoidTy(), Types, false)),
      Arguments);
}

void insertMemoryWatch(Module &M, ThreadAccess &Threads, std::vector<AccessSite> &Sites) {
  SmallVector<Instruction *> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      All.push_back(&I);
  for (Instruction *I : All)
    for (const Access &A : accessesOf(*I, M.getDataLayout())) {
      if (const Value *Object = getUnderlyingObject(A.Address); isPrivate(Object)) {
        watchParameter(*I, A, Object, Threads);
        continue;
      }
      IRBuilder<> B(I);
      Value *Address = B.CreateAddrSpaceCast(A.Address, B.getPtrTy());
      SmallVector<Value *> Arguments{
          Threads.thread(*I->getFunction()), Address,           A.Bytes, B.getInt32(uint32_t(A.Kind)),
          B.getInt32(Sites.size()),          B.getInt32(A.Used)};
      SmallVector<Type *> Types;
      for (Value *V : Arguments)
        Types.push_back(V->getType());
      B.CreateCall(M.getOrInsertFunction("gpuprune_watch", FunctionType::get(B.getVoidTy(), Types, false)),
                   Arguments);
      const DILocation *Location = kernelLocation(*I);
      Sites.push_back({A.Kind, A.Address->getType()->getPointerAddressSpace(),
                       I->getFunction()->getName().str(), Location ? Location->getFilename().str() : "",
                       Location ? Location->getLine() : 0});
    }
}

} // namespace gpuprune
