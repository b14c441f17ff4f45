//===- LowerShared.cpp - Shared variables in the block's shared memory ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/ThreadContext.h"
#include "HostLowering.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Where the static variables of a module lie. Those that only one kernel names
/// share their place with other kernels' own; those of several kernels, or of
/// functions that are called, come first and have one place for all.
class SharedPlacement {
public:
  explicit SharedPlacement(const DataLayout &DL) : DL(DL) {}
  /// Those without an only kernel first.
  void add(GlobalVariable &GV);
  uint64_t offset(const GlobalVariable &GV) const { return Offsets.lookup(&GV); }
  /// Bytes of \p Kernel, a multiple of 16.
  uint64_t bytesOf(const Function &Kernel) const {
    auto It = Ends.find(&Kernel);
    return alignTo(It == Ends.end() ? CommonEnd : It->second, 16);
  }
  /// The kernel in which all uses of \p GV are; null where there are other users.
  static const Function *onlyKernel(const GlobalVariable &GV);

private:
  const DataLayout &DL;
  uint64_t CommonEnd = 0;
  DenseMap<const Function *, uint64_t> Ends;
  DenseMap<const GlobalVariable *, uint64_t> Offsets;
};

} // namespace

const Function *SharedPlacement::onlyKernel(const GlobalVariable &GV) {
  const Function *Only = nullptr;
  for (const User *U : GV.users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !isKernel(*I->getFunction()) || (Only && Only != I->getFunction()))
      return nullptr;
    Only = I->getFunction();
  }
  return Only;
}

void SharedPlacement::add(GlobalVariable &GV) {
  uint64_t *End = &CommonEnd;
  if (const Function *Kernel = onlyKernel(GV))
    End = &Ends.try_emplace(Kernel, CommonEnd).first->second;
  Offsets[&GV] = *End = alignTo(*End, std::max(DL.getPreferredAlign(&GV), GV.getAlign().valueOrOne()));
  *End += DL.getTypeAllocSize(GV.getValueType());
}

/// The thread of \p F, ahead of all else: constants that a phi takes from the entry block
/// were made instructions at its very beginning.
static Instruction &threadAtStart(Function &F, ThreadAccess &Threads) {
  auto *Thread = cast<Instruction>(Threads.thread(F));
  BasicBlock &Entry = F.getEntryBlock();
  if (&Entry.front() != Thread)
    Thread->moveBefore(Entry, Entry.begin());
  return *Thread;
}

/// Replaces \p GV by its address, computed at the start of each function.
static Error place(GlobalVariable &GV, uint64_t Base, uint64_t Offset, ThreadAccess &Threads) {
  DenseMap<Function *, Value *> Addresses;
  for (Use &U : make_early_inc_range(GV.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return makeError(
          ErrorKind::Refused,
          formatv("the address of shared variable '{0}' is part of another variable's value, which is "
                  "not supported on the CPU",
                  GV.getName()));
    Value *&Address = Addresses[I->getFunction()];
    if (!Address) {
      IRBuilder<> B(threadAtStart(*I->getFunction(), Threads).getNextNode());
      Value *Shared = Threads.threadField(B, B.getPtrTy(), Base);
      Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Shared, Offset);
      Address = B.CreateAddrSpaceCast(Place, GV.getType());
    }
    U.set(Address);
  }
  GV.eraseFromParent();
  return Error::success();
}

Error lowerSharedVariables(Module &M, ThreadAccess &Threads, ArrayRef<Function *> Kernels,
                           MutableArrayRef<HostKernel> Described) {
  SmallVector<Constant *> All;
  for (GlobalVariable &GV : M.globals())
    if (GV.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      All.push_back(&GV);
  convertUsersOfConstantsToInstructions(All);
  // A kernel's dynamic array is declared, without a size.
  SmallVector<GlobalVariable *> Static, Dynamic;
  for (Constant *C : All)
    (cast<GlobalVariable>(C)->isDeclaration() ? Dynamic : Static).push_back(cast<GlobalVariable>(C));
  SharedPlacement Layout(M.getDataLayout());
  for (bool OfOneKernel : {false, true})
    for (GlobalVariable *GV : Static)
      if ((SharedPlacement::onlyKernel(*GV) != nullptr) == OfOneKernel)
        Layout.add(*GV);
  for (auto [Kernel, HostKernel] : zip_equal(Kernels, Described))
    HostKernel.StaticShared = Layout.bytesOf(*Kernel);
  for (GlobalVariable *GV : Static)
    if (Error E = place(*GV, offsetof(ThreadContext, Shared), Layout.offset(*GV), Threads))
      return E;
  for (GlobalVariable *GV : Dynamic)
    if (Error E = place(*GV, offsetof(ThreadContext, DynamicShared), 0, Threads))
      return E;
  return Error::success();
}

} // namespace gpuprune
