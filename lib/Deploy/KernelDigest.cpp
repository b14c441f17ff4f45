//===- KernelDigest.cpp - Whether a kernel is still the one that was tuned ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/KernelDigest.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Sha256.h"
#include "gpuprune/Transforms/GlobalReferences.h"
#include "gpuprune/Transforms/KeepOnly.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/ResolveReflection.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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
    if (Table.getName() != "nvvm.annotations" || Table.getNumOperands() == 0)
      Table.eraseFromParent();
  for (const Module::ModuleFlagEntry &Flag : Flags)
    if (isOfDeviceCode(Flag.Key->getString()))
      M.addModuleFlag(Flag.Behavior, Flag.Key->getString(), Flag.Val);
  // Where in the file inline PTX stands.
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      I.setMetadata("srcloc", nullptr);
}

/// What nothing comes to is no part of the kernel, and names intrinsics in the order of the file. Where the
/// compiler has answered libdevice's questions, branches are gone, and so are they here.
static void dropUnreachableCode(Module &M) {
  resolveReflection(M);
  for (Function &F : M)
    if (!F.isDeclaration()) {
      EliminateUnreachableBlocks(F);
      for (BasicBlock &BB : F)
        FoldSingleEntryPHINodes(&BB);
    }
}

/// Names of the author's types in what is known of aliases (TBAA); those of C's types do not change.
static void renameAliasTypes(Module &M) {
  SetVector<MDNode *> Nodes;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      for (unsigned Kind : {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct})
        if (MDNode *Node = I.getMetadata(Kind))
          Nodes.insert(Node);
  for (size_t N = 0; N != Nodes.size(); ++N)
    for (const MDOperand &Operand : Nodes[N]->operands())
      if (auto *Node = dyn_cast_or_null<MDNode>(Operand))
        Nodes.insert(Node);
  // Nodes that became equal would become one; numbers keep them apart.
  unsigned Named = 0;
  for (MDNode *Node : Nodes)
    if (auto *Name = Node->getNumOperands() ? dyn_cast_or_null<MDString>(Node->getOperand(0)) : nullptr;
        Name && Name->getString().contains("_ZTS"))
      Node->replaceOperandWith(0, MDString::get(M.getContext(), "type " + Twine(Named++).str()));
}

/// In the order in which the kernel comes to them, each as it is whatever file it is in. Names that nobody
/// else knows depend on what else has such names.
static void orderAndRename(Module &M, const GlobalObjects &Reached) {
  for (GlobalObject *G : Reached) {
    G->setComdat(nullptr);
    G->setDSOLocal(false);
    if (G->hasLocalLinkage())
      G->setName("");
    else if (std::string Stable = stableSymbol(G->getName()); Stable != G->getName())
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

/// llvm.used and others like it tell of the file, not of the kernel.
static void dropLists(Module &M) {
  for (GlobalVariable &V : make_early_inc_range(M.globals()))
    if (V.getName().starts_with("llvm.") && V.use_empty())
      V.eraseFromParent();
}

/// The comment behind a block's label lists its predecessors, in the order in which these were made.
static std::string withoutComments(StringRef Text) {
  std::string Result;
  for (StringRef Line : split(Text, '\n')) {
    auto [Label, Rest] = Line.split(':');
    bool IsLabel = !Label.empty() && all_of(Label, isDigit) && Rest.ltrim().starts_with("; preds = ");
    Result += (IsLabel ? Label : Line).str() + '\n';
  }
  return Result;
}

static std::string canonicalText(Module &M, Function &Kernel) {
  StripDebugInfo(M);
  dropLists(M);
  dropUnreachableCode(M);
  GlobalObjects Reached = GlobalReferences(M).reachedFrom(Kernel);
  keepOnly(M, [&](const GlobalObject &G) { return Reached.contains(const_cast<GlobalObject *>(&G)); });
  dropUnusedDeclarations(M);
  dropForeignMetadata(M);
  orderAndRename(M, Reached);
  renameAliasTypes(M);
  M.setModuleIdentifier("");
  M.setSourceFileName("");
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return withoutComments(Text);
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
  return sha256(Text);
}

} // namespace gpuprune
