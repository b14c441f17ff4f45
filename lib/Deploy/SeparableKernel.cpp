//===- SeparableKernel.cpp - Kernels of which a copy computes the same -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/SeparableKernel.h"
#include "AssemblyText.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/GlobalReferences.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static Error notSeparable(const Twine &Why) { return makeError(ErrorKind::Input, Why); }

static std::string sourceName(const GlobalObject &G) { return demangle(G.getName()); }

static bool isShared(const GlobalObject &G) {
  const auto *V = dyn_cast<GlobalVariable>(&G);
  return V && V->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

static Error checkCode(const Function &F, const StringSet<> &Variables) {
  if (!F.isDeclaration() && F.isInterposable())
    return notSeparable("'" + sourceName(F) + "' is weak: the linker may take another file's in its place");
  for (const Instruction &I : instructions(F)) {
    if (concernsCluster(I))
      return notSeparable("it asks for its cluster, whose size is an attribute of the author's kernel");
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Asm)
      continue;
    if (StringRef(Asm->getAsmString()).contains("cluster"))
      return notSeparable("its inline assembly asks for its cluster, whose size is an attribute of the "
                          "author's kernel");
    if (hasWord(Asm->getAsmString(), [&](StringRef Word) { return Variables.contains(Word); }))
      return notSeparable("its inline assembly names a variable of the file");
  }
  return Error::success();
}

/// What is called through a pointer is the author's function.
static Error checkPointers(Module &M, const GlobalReferences &References, const GlobalObjects &Reached) {
  for (Function &F : M) {
    if (F.isDeclaration() || !References.isAddressTaken(F))
      continue;
    for (GlobalObject *G : References.reachedFrom(F))
      if (isShared(*G) && Reached.contains(G))
        return notSeparable("'" + sourceName(F) + "', whose address is taken, uses the shared array '" +
                            sourceName(*G) + "' of the kernel");
  }
  return Error::success();
}

Error checkSeparable(Module &M, StringRef Symbol) {
  Function *Kernel = M.getFunction(Symbol);
  if (!Kernel)
    return notSeparable("the device bitcode has no kernel '" + Symbol + "'");
  GlobalReferences References(M);
  GlobalObjects Reached = References.reachedFrom(*Kernel);
  StringSet<> Variables;
  for (const GlobalVariable &V : M.globals())
    Variables.insert(V.getName());
  for (const GlobalObject *G : Reached)
    if (const auto *F = dyn_cast<Function>(G))
      if (Error E = checkCode(*F, Variables))
        return E;
  return checkPointers(M, References, Reached);
}

Error checkSeparable(StringRef Bitcode, StringRef Symbol) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return notSeparable("cannot read the device bitcode: " + toString(M.takeError()));
  return checkSeparable(**M, Symbol);
}

} // namespace gpuprune
