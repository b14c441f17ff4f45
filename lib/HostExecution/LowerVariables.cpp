//===- LowerVariables.cpp - Shared, constant and global variables --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLowering.h"
#include "SourcePlace.h"
#include "ThreadContext.h"
#include "gpuprune/Support/Error.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// The dynamic shared array of a kernel: declared, without a size.
static bool isDynamicShared(const GlobalVariable &GV) { return GV.isDeclaration(); }

/// Offsets of shared variables; the dynamic array follows the static ones.
static uint64_t layOutShared(ArrayRef<GlobalVariable *> Variables, const DataLayout &DL,
                             DenseMap<GlobalVariable *, uint64_t> &Offsets) {
  uint64_t End = 0;
  constexpr uint64_t DynamicAlignment = 16;
  for (GlobalVariable *GV : Variables) {
    if (isDynamicShared(*GV))
      continue;
    Offsets[GV] = End = alignTo(End, std::max(DL.getPreferredAlign(GV), GV->getAlign().valueOrOne()));
    End += DL.getTypeAllocSize(GV->getValueType());
  }
  End = alignTo(End, DynamicAlignment);
  for (GlobalVariable *GV : Variables)
    if (isDynamicShared(*GV))
      Offsets[GV] = End;
  return End;
}

/// Replaces \p GV in each function by its place in the block's shared memory.
static void placeShared(GlobalVariable &GV, uint64_t Offset, ThreadAccess &Threads) {
  Constant *Users[] = {&GV};
  convertUsersOfConstantsToInstructions(Users);
  DenseMap<Function *, Value *> Addresses;
  for (Use &U : make_early_inc_range(GV.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue;
    Value *&Address = Addresses[I->getFunction()];
    if (!Address) {
      auto *Thread = cast<Instruction>(Threads.thread(*I->getFunction()));
      IRBuilder<> B(Thread->getNextNode());
      Value *Shared = Threads.threadField(B, B.getPtrTy(), offsetof(ThreadContext, Shared));
      Address =
          B.CreateAddrSpaceCast(B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Shared, Offset), GV.getType());
    }
    U.set(Address);
  }
}

uint64_t lowerSharedVariables(Module &M, ThreadAccess &Threads) {
  SmallVector<GlobalVariable *> Variables;
  for (GlobalVariable &GV : M.globals())
    if (GV.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      Variables.push_back(&GV);
  DenseMap<GlobalVariable *, uint64_t> Offsets;
  uint64_t Bytes = layOutShared(Variables, M.getDataLayout(), Offsets);
  for (GlobalVariable *GV : Variables) {
    placeShared(*GV, Offsets[GV], Threads);
    GV->eraseFromParent();
  }
  return Bytes;
}

/// Strings and tables that nobody can write or ask for stay in the code.
static bool isPlainConstant(const GlobalVariable &GV) { return GV.isConstant() && GV.hasLocalLinkage(); }

/// Splits \p GV into the variable, which the program places, and its initial value.
static LoweredVariable makeExternal(GlobalVariable &GV) {
  LoweredVariable Variable{GV.getName().str(), GV.getDataLayout().getTypeAllocSize(GV.getValueType()), ""};
  if (!GV.getInitializer()->isNullValue() && !isa<UndefValue>(GV.getInitializer())) {
    Variable.Initial = "gpuprune.initial." + Variable.Symbol;
    auto *Initial = new GlobalVariable(*GV.getParent(), GV.getValueType(), true, GlobalValue::ExternalLinkage,
                                       GV.getInitializer(), Variable.Initial);
    Initial->setAlignment(GV.getAlign());
  }
  GV.setInitializer(nullptr);
  GV.setLinkage(GlobalValue::ExternalLinkage);
  GV.setConstant(false);
  GV.setVisibility(GlobalValue::DefaultVisibility);
  GV.setDSOLocal(false);
  GV.setComdat(nullptr);
  GV.setSection("");
  return Variable;
}

Expected<std::vector<LoweredVariable>> lowerDeviceVariables(Module &M) {
  std::vector<LoweredVariable> Variables;
  SmallVector<GlobalVariable *> Globals;
  for (GlobalVariable &GV : M.globals())
    Globals.push_back(&GV);
  for (GlobalVariable *GV : Globals) {
    if (GV->getName() == ThreadAccess::StackBytesSymbol)
      continue;
    if (GV->isDeclaration())
      return makeError(ErrorKind::Refused,
                       formatv("variable '{0}' is declared and defined nowhere in the device code; "
                               "separate compilation (-fgpu-rdc) is not supported on the CPU",
                               GV->getName()));
    if (GV->getName() == "llvm.global_ctors")
      return makeError(ErrorKind::Refused,
                       "the device code has constructors of global objects, which do not run on the CPU");
    if (isPlainConstant(*GV))
      GV->setComdat(nullptr);
    else
      Variables.push_back(makeExternal(*GV));
  }
  return Variables;
}

} // namespace gpuprune
