//===- KernelDigest.cpp - Whether a kernel is still the one that was tuned ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/KernelDigest.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KeepOnly.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/References.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

std::string stableSymbol(StringRef Symbol) {
  for (StringLiteral Mark : {StringLiteral("__intern__"), StringLiteral("__static__")})
    if (size_t At = Symbol.rfind(Mark); At != StringRef::npos && At != 0) {
      StringRef Number = Symbol.drop_front(At + Mark.size());
      if (!Number.empty() && all_of(Number, isHexDigit))
        return Symbol.take_front(At).str();
    }
  return Symbol.str();
}

/// Flags that decide what becomes of device code: whether denormals are flushed.
static bool isOfDeviceCode(StringRef ModuleFlag) { return ModuleFlag.starts_with("nvvm"); }

static void dropForeignMetadata(Module &M) {
  SmallVector<Module::ModuleFlagEntry> Flags;
  M.getModuleFlagsMetadata(Flags);
  for (NamedMDNode &Table : make_early_inc_range(M.named_metadata()))
    if (Table.getName() != "nvvm.annotations")
      Table.eraseFromParent();
  for (const Module::ModuleFlagEntry &Flag : Flags)
    if (isOfDeviceCode(Flag.Key->getString()))
      M.addModuleFlag(Flag.Behavior, Flag.Key->getString(), Flag.Val);
  // Where in the file inline PTX stands.
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.setMetadata("srcloc", nullptr);
}

/// In the order in which the kernel comes to them, each as it is whatever file it is in.
static void orderAndRename(Module &M, const GlobalObjects &Reached) {
  for (GlobalObject *G : Reached) {
    G->setComdat(nullptr);
    G->setDSOLocal(false);
    if (std::string Stable = stableSymbol(G->getName()); Stable != G->getName())
      G->setName(Stable);
    if (auto *F = dyn_cast<Function>(G)) {
      F->removeFromParent();
      M.getFunctionList().push_back(F);
    } else if (auto *V = dyn_cast<GlobalVariable>(G)) {
      V->removeFromParent();
      M.insertGlobalVariable(V);
    }
  }
  for (StructType *T : M.getIdentifiedStructTypes())
    T->setName("");
}

/// Intrinsics that others of the file have used.
static void dropUnusedDeclarations(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
}

/// llvm.used tells of the file, not of the kernel.
static void dropUsedLists(Module &M) {
  for (StringRef Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *List = M.getNamedGlobal(Name))
      List->eraseFromParent();
}

static std::string canonicalText(Module &M, Function &Kernel) {
  StripDebugInfo(M);
  dropUsedLists(M);
  GlobalObjects Reached = References(M).reachedFrom(Kernel);
  keepOnly(M, [&](const GlobalObject &G) { return Reached.contains(const_cast<GlobalObject *>(&G)); });
  dropUnusedDeclarations(M);
  dropForeignMetadata(M);
  orderAndRename(M, Reached);
  M.setModuleIdentifier("");
  M.setSourceFileName("");
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return Text;
}

Expected<std::string> kernelDigest(StringRef Bitcode, StringRef Symbol) {
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return makeError(ErrorKind::Input, "cannot read the device bitcode: " + toString(M.takeError()));
  Function *Kernel = (*M)->getFunction(Symbol);
  if (!Kernel || !isKernel(*Kernel))
    return makeError(ErrorKind::Input, "the device bitcode has no kernel '" + Symbol + "'");
  std::string Text = canonicalText(**M, *Kernel);
  return toHex(SHA256::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

} // namespace gpuprune
