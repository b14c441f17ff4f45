//===- SpillValues.cpp - Chosen values to shared or local memory ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SpillValues.h"
#include "Facts/LoadHazards.h"
#include "Facts/UseGroups.h"
#include "PlacedValue.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Instructions for which a value has to live for each access that spilling it makes: a
/// shared or local access takes about as long, and there are as many more of them as warps.
static constexpr double LeastLifePerAccess = 32;

namespace {

using Place = RegistersOptions::Place;

/// A value to spill, with what it costs.
struct SpillCandidate {
  Instruction *Value = nullptr;
  SmallVector<UseGroup, 4> Reloads;
  double Lifetime = 0, Accesses = 0;

  double lifePerAccess() const { return Lifetime / std::max(Accesses, 1.0); }
};

/// The words that values of a kernel are spilled to.
class SpillMemory {
public:
  SpillMemory(Function &F, Place To, unsigned MostWords);
  void store(IRBuilder<> &B, Value *Word, unsigned Number) const;
  Value *load(IRBuilder<> &B, unsigned Number) const;
  /// Leaves room for no more than \p Words.
  void shrinkTo(unsigned Words);
  /// Every access needs it: it cannot be spilled itself.
  const Instruction *base() const { return dyn_cast<Instruction>(First); }

private:
  Function &F;
  uint64_t Stride = 1;             ///< In words, from one word of a thread to its next.
  GlobalVariable *Array = nullptr; ///< In shared memory.
  AllocaInst *Frame = nullptr;     ///< In local memory.
  Value *First = nullptr;          ///< The thread's first word.

  GlobalVariable *createArray(unsigned Words) const;
  void createFrame(IRBuilder<> &B, unsigned Words);
  Value *address(IRBuilder<> &B, unsigned Number) const;
};

class Spiller {
public:
  Spiller(Function &F, const RegistersOptions &Options, const BlockFrequencies &Frequencies, LoopInfo &Loops)
      : F(F), Options(Options), Frequencies(Frequencies), Loops(Loops) {}
  Verdict decide() const;
  void run(std::vector<std::string> &Done);

private:
  Function &F;
  const RegistersOptions &Options;
  const BlockFrequencies &Frequencies;
  LoopInfo &Loops;
  SmallPtrSet<const Instruction *, 16> Settled; ///< Spilled, or loaded again.
  unsigned Words = 0;

  Verdict checkRoom() const;
  std::optional<SpillCandidate> choose() const;
  std::optional<SpillCandidate> consider(Instruction &V, const LiveValues &Lives,
                                         const LiveValues::Point &Peak) const;
  void spill(const SpillCandidate &Chosen, const SpillMemory &Memory);
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A special register, as a number without sign.
static Value *readRegister(IRBuilder<> &B, RegisterFamily Family, unsigned Dimension) {
  return B.CreateIntrinsic(registerIntrinsic(Family, Dimension), {});
}

/// The number of the thread in its block.
static Value *threadNumber(IRBuilder<> &B, const LaunchBound &Bound) {
  auto HasOnly = [&](unsigned D) { return Bound.Exact && Bound.Block[D] == 1; };
  Value *Number = nullptr;
  for (unsigned D = Dim3::size(); D-- > 0;) {
    if (Number) {
      Value *Threads =
          Bound.Exact ? B.getInt32(Bound.Block[D]) : readRegister(B, RegisterFamily::BlockExtent, D);
      Number = B.CreateMul(Number, Threads, "", /*HasNUW=*/true, /*HasNSW=*/true);
    }
    if (HasOnly(D))
      continue;
    Value *Own = readRegister(B, RegisterFamily::ThreadIndex, D);
    Number = Number ? B.CreateAdd(Number, Own, "", /*HasNUW=*/true, /*HasNSW=*/true) : Own;
  }
  return Number ? Number : B.getInt32(0);
}

GlobalVariable *SpillMemory::createArray(unsigned Words) const {
  Type *T = ArrayType::get(Type::getInt32Ty(F.getContext()), Words * Stride);
  auto *Result = new GlobalVariable(*F.getParent(), T, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                    PoisonValue::get(T), F.getName() + "_spilled", nullptr,
                                    GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_SHARED);
  Result->setAlignment(Align(4));
  return Result;
}

/// Zero, which neither LLVM nor ptxas knows while it decides what is in memory: no warp has more than 32
/// lanes. Later ptxas does know, so the words are read by the stack pointer and no register holds their
/// address.
static Value *lateZero(IRBuilder<> &B) {
  auto *T = FunctionType::get(B.getInt32Ty(), false);
  CallInst *Zero =
      B.CreateCall(InlineAsm::get(T, "{ .reg .b32 lane; mov.u32 lane, %laneid; shr.u32 $0, lane, 5; }", "=r",
                                  /*hasSideEffects=*/false));
  Zero->setDoesNotAccessMemory();
  Zero->setDoesNotThrow();
  return B.CreateZExt(Zero, B.getInt64Ty());
}

/// Pointers into it are local ones from the beginning. From generic ones ptxas does not see which word is
/// meant, and makes of each load a choice among all of them.
void SpillMemory::createFrame(IRBuilder<> &B, unsigned Words) {
  Frame = B.CreateAlloca(ArrayType::get(B.getInt32Ty(), Words), nullptr, "spilled");
  Frame->setAlignment(Align(8));
  Value *Local = B.CreateAddrSpaceCast(Frame, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_LOCAL));
  First = B.CreatePtrAdd(Local, lateZero(B), "", GEPNoWrapFlags::inBounds());
}

SpillMemory::SpillMemory(Function &F, Place To, unsigned MostWords) : F(F) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (To == Place::Local) {
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().begin());
    createFrame(B, MostWords);
    return;
  }
  LaunchBound Bound = *launchBound(F);
  Stride = Bound.threads();
  Array = createArray(MostWords);
  Value *Thread = B.CreateZExt(threadNumber(B, Bound), B.getInt64Ty());
  First = B.CreateInBoundsGEP(B.getInt32Ty(), Array, Thread, "spilled");
}

Value *SpillMemory::address(IRBuilder<> &B, unsigned Number) const {
  return B.CreateConstInBoundsGEP1_64(B.getInt32Ty(), First, Number * Stride);
}

void SpillMemory::store(IRBuilder<> &B, Value *Word, unsigned Number) const {
  B.CreateAlignedStore(Word, address(B, Number), Align(4), /*isVolatile=*/true);
}

Value *SpillMemory::load(IRBuilder<> &B, unsigned Number) const {
  return B.CreateAlignedLoad(B.getInt32Ty(), address(B, Number), Align(4), /*isVolatile=*/true);
}

void SpillMemory::shrinkTo(unsigned Words) {
  if (Frame) {
    Frame->setAllocatedType(ArrayType::get(Type::getInt32Ty(F.getContext()), Words));
    return;
  }
  GlobalVariable *Smaller = createArray(Words);
  Smaller->takeName(Array);
  Array->replaceAllUsesWith(Smaller);
  Array->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Values as words
//===----------------------------------------------------------------------===//

static bool isSpillable(const Instruction &V) {
  Type *T = V.getType();
  uint64_t Bits = T->isSized() && !T->isAggregateType() && !T->isVectorTy()
                      ? V.getDataLayout().getTypeSizeInBits(T).getFixedValue()
                      : 0;
  return (T->isIntegerTy() || T->isFloatingPointTy() || T->isPointerTy()) &&
         is_contained({8u, 16u, 32u, 64u}, Bits);
}

static SmallVector<Value *, 2> wordsFrom(IRBuilder<> &B, Value *V) {
  Type *T = V->getType();
  unsigned Bits = B.GetInsertBlock()->getDataLayout().getTypeSizeInBits(T).getFixedValue();
  if (T->isPointerTy())
    V = B.CreatePtrToInt(V, B.getIntNTy(Bits));
  else if (!T->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(Bits));
  if (Bits <= 32)
    return {B.CreateZExt(V, B.getInt32Ty())};
  return {B.CreateTrunc(V, B.getInt32Ty()), B.CreateTrunc(B.CreateLShr(V, 32), B.getInt32Ty())};
}

/// Whether \p Pointer is generic and can only be one to global memory: said again where it
/// is loaded, the accesses stay global ones.
static bool pointsToGlobal(const Value &Pointer) {
  if (!Pointer.getType()->isPointerTy() || Pointer.getType()->getPointerAddressSpace() != 0)
    return false;
  return all_of(objectsOf(Pointer), [](const Value *Object) {
    if (auto *A = dyn_cast<Argument>(Object))
      return !A->hasByValAttr();
    return Object->getType()->isPointerTy() &&
           Object->getType()->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL;
  });
}

static Value *valueFrom(IRBuilder<> &B, ArrayRef<Value *> Words, const Instruction &Like, bool Global) {
  Type *T = Like.getType();
  unsigned Bits = Like.getDataLayout().getTypeSizeInBits(T).getFixedValue();
  Value *V = Words.front();
  if (Words.size() == 2)
    V = B.CreateOr(B.CreateZExt(V, B.getInt64Ty()), B.CreateShl(B.CreateZExt(Words[1], B.getInt64Ty()), 32));
  V = B.CreateTrunc(V, B.getIntNTy(Bits));
  if (Global)
    V = B.CreateIntToPtr(V, B.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL));
  if (T->isPointerTy())
    return Global ? B.CreateAddrSpaceCast(V, T) : B.CreateIntToPtr(V, T);
  return T->isIntegerTy() ? V : B.CreateBitCast(V, T);
}

/// The code generator reads through an argument that nobody writes as read-only memory; it
/// would not see it behind a pointer that was loaded, so it is said before.
static void markReadOnlyLoads(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple())
      continue;
    bool ReadOnly = all_of(objectsOf(*Load->getPointerOperand()), [](const Value *Object) {
      auto *A = dyn_cast<Argument>(Object);
      return A && A->hasNoAliasAttr() && A->onlyReadsMemory();
    });
    if (ReadOnly)
      Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(F.getContext(), {}));
  }
}

//===----------------------------------------------------------------------===//
// Choosing and spilling
//===----------------------------------------------------------------------===//

Verdict Spiller::checkRoom() const {
  if (Options.placeOfSpills() == Place::Local)
    return std::nullopt;
  std::optional<LaunchBound> Bound = launchBound(F);
  if (!Bound)
    return Refusal::inFunction(
        RefusalKind::MissingThreadBound, F,
        "spill-to=shared needs a kernel with __launch_bounds__(threads), or threads=: each "
        "thread of a block has words of its own");
  uint64_t Bytes = alignTo(sharedBytes(F), 4) + 4 * Options.Spill * Bound->threads();
  if (Bytes <= MostStaticShared)
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::TooLarge, F,
      formatv("{0} words for each of {1} threads make {2} bytes of shared memory; a block "
              "has {3}",
              Options.Spill, Bound->threads(), Bytes, MostStaticShared));
}

std::optional<SpillCandidate> Spiller::consider(Instruction &V, const LiveValues &Lives,
                                                const LiveValues::Point &Peak) const {
  if (Settled.contains(&V) || !isSpillable(V) || Words + wordsOf(V) > Options.Spill ||
      !Lives.isLiveAt(V, Peak))
    return std::nullopt;
  SpillCandidate C{&V, farUses(V, Lives, Peak), Lives.lifetime(V), Lives.executions(V)};
  for (const UseGroup &Group : C.Reloads)
    C.Accesses += Frequencies.of(Group.Before->getParent());
  if (C.Reloads.empty() || isUsedAt(Peak, C.Reloads) || C.lifePerAccess() < LeastLifePerAccess ||
      decidesControl(C.Reloads))
    return std::nullopt;
  return C;
}

std::optional<SpillCandidate> Spiller::choose() const {
  LiveValues Lives(F, Frequencies);
  LiveValues::Point Peak = Lives.peak(Loops);
  std::optional<SpillCandidate> Best;
  if (Peak.Before)
    for (Instruction *V : Lives.values())
      if (std::optional<SpillCandidate> C = consider(*V, Lives, Peak))
        if (!Best || C->lifePerAccess() > Best->lifePerAccess())
          Best = std::move(C);
  return Best;
}

void Spiller::spill(const SpillCandidate &Chosen, const SpillMemory &Memory) {
  Instruction &V = *Chosen.Value;
  bool Global = pointsToGlobal(V);
  if (V.getType()->isPointerTy())
    markReadOnlyLoads(F);
  unsigned First = Words;
  for (const UseGroup &Group : Chosen.Reloads) {
    IRBuilder<> B(Group.Before);
    SmallVector<Value *, 2> Parts;
    for (unsigned I = 0; I < wordsOf(V); ++I)
      Parts.push_back(Memory.load(B, First + I));
    Value *Loaded = valueFrom(B, Parts, V, Global);
    for (Use *U : Group.Uses)
      U->set(Loaded);
    for (Instruction &I :
         make_range(cast<Instruction>(Parts.front())->getIterator(), Group.Before->getIterator()))
      Settled.insert(&I);
  }
  IRBuilder<> B(&*V.getInsertionPointAfterDef().value());
  for (Value *Word : wordsFrom(B, &V))
    Memory.store(B, Word, Words++);
  Settled.insert(&V);
}

Verdict Spiller::decide() const {
  if (Verdict Refused = checkRoom())
    return Refused;
  if (choose())
    return std::nullopt;
  return Refusal::inFunction(RefusalKind::NothingToSpill, F,
                             formatv("no value lives for {0:F0} instructions per access across the place "
                                     "where most are live, without a branch depending on it",
                                     LeastLifePerAccess));
}

void Spiller::run(std::vector<std::string> &Done) {
  std::optional<SpillMemory> Memory;
  while (Words < Options.Spill) {
    std::optional<SpillCandidate> Chosen = choose();
    if (!Chosen)
      break;
    if (!Memory) {
      Memory.emplace(F, Options.placeOfSpills(), Options.Spill);
      Settled.insert(Memory->base());
    }
    Done.push_back(
        formatv("spilled to {0} memory: {1}, lives over {2:F0} instructions of a thread, {3:F0} accesses",
                Options.placeOfSpills() == Place::Shared ? "shared" : "local", nameOfValue(*Chosen->Value),
                Chosen->Lifetime, Chosen->Accesses));
    spill(*Chosen, *Memory);
  }
  if (Memory)
    Memory->shrinkTo(Words);
}

Verdict decideSpilling(Function &F, const RegistersOptions &Options, const BlockFrequencies &Frequencies,
                       LoopInfo &Loops) {
  return Spiller(F, Options, Frequencies, Loops).decide();
}

void spillValues(Function &F, const RegistersOptions &Options, const BlockFrequencies &Frequencies,
                 LoopInfo &Loops, std::vector<std::string> &Done) {
  Spiller(F, Options, Frequencies, Loops).run(Done);
}

} // namespace gpuprune
