//===- KernelAlone.cpp - A kernel without the others of its file ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/KernelAlone.h"
#include "ReadDevice.h"
#include "gpuprune/Transforms/GlobalReferences.h"
#include "gpuprune/Transforms/IsolateKernels.h"
#include "gpuprune/Transforms/KeepOnly.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// Whether \p M has nothing whose references cannot be seen.
static bool canBeTakenApart(const Module &M) {
  return M.getModuleInlineAsm().empty() && M.alias_empty() && M.ifunc_empty() &&
         !M.getNamedGlobal("llvm.global_ctors") && !M.getNamedGlobal("llvm.global_dtors");
}

namespace {

/// What stays.
class Kept {
public:
  Kept(Module &M, const GlobalReferences &Refs) : M(M), Refs(Refs) {}
  void add(GlobalObject &G) { All.insert(&G); }
  /// Adds all that belongs to what has been added.
  void close();
  bool contains(const GlobalObject *G) const { return All.contains(const_cast<GlobalObject *>(G)); }

private:
  Module &M;
  const GlobalReferences &Refs;
  GlobalObjects All, WithUsers;

  bool dependsOnUsers(const GlobalObject &G) const;
  void addUsers(GlobalObject &G);
  void addPossibleCallees();
};

} // namespace

/// Whether \p V is loaded from and nothing else, as libdevice's tables are: a constant that does not say so.
static bool isOnlyRead(const GlobalVariable &V) {
  SmallVector<const Value *, 8> Pointers{&V};
  while (!Pointers.empty())
    for (const User *U : Pointers.pop_back_val()->users()) {
      if (isa<GEPOperator, AddrSpaceCastOperator>(U))
        Pointers.push_back(U);
      else if (const auto *Load = dyn_cast<LoadInst>(U); !Load || !Load->isSimple())
        return false;
    }
  return true;
}

/// Whether LLVM may look at all uses of \p G to tell what becomes of one.
bool Kept::dependsOnUsers(const GlobalObject &G) const {
  if (const auto *F = dyn_cast<Function>(&G))
    return !F->isDeclaration() && F->isDiscardableIfUnused() && Refs.isAddressTaken(*F);
  const auto &V = cast<GlobalVariable>(G);
  return V.hasLocalLinkage() && !V.isConstant() && !isOnlyRead(V);
}

/// Adds what uses \p G and what uses that, as far up as there is any.
void Kept::addUsers(GlobalObject &G) {
  GlobalObjects Up;
  Up.insert(&G);
  for (size_t I = 0; I < Up.size(); ++I)
    if (WithUsers.insert(Up[I]))
      Up.insert_range(Refs.to(*Up[I]));
  All.insert_range(Up);
}

/// ptxas gives a kernel the registers and the stack of whatever it may call by a pointer.
void Kept::addPossibleCallees() {
  for (Function &F : M)
    if (!F.isDeclaration() && Refs.isAddressTaken(F))
      All.insert(&F);
}

void Kept::close() {
  for (size_t I = 0; I < All.size(); ++I) {
    GlobalObject &G = *All[I];
    if (const auto *F = dyn_cast<Function>(&G); F && Refs.callsIndirectly(*F))
      addPossibleCallees();
    if (dependsOnUsers(G))
      addUsers(G);
    All.insert_range(Refs.of(G));
  }
}

/// What decides for all kernels alike: where variables lie in constant memory, and whether there is
/// dynamic shared memory, which coarsening asks of the module.
static bool isOfModule(const GlobalVariable &V) {
  return V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST ||
         (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && V.isDeclaration());
}

static Kept whatBelongsTo(Function &Kernel, Module &M, ArrayRef<std::string> Symbols,
                          const GlobalReferences &Refs) {
  Kept Keep(M, Refs);
  Keep.add(Kernel);
  for (GlobalVariable &V : M.globals())
    if (isOfModule(V) || is_contained(Symbols, V.getName()))
      Keep.add(V);
  Keep.close();
  return Keep;
}

Expected<LoneKernel> kernelAlone(StringRef Bitcode, StringRef Kernel, ArrayRef<std::string> Symbols) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = readDeviceBitcode(Bitcode, Context);
  if (!M)
    return M.takeError();
  Expected<Function *> Named = onlyKernel(**M, Kernel);
  if (!Named)
    return Named.takeError();
  LoneKernel Alone;
  if (!canBeTakenApart(**M))
    return Alone;
  GlobalObjects Isolated = isolateKernels(**M);
  GlobalReferences Refs(**M);
  Kept Keep = whatBelongsTo(**Named, **M, Symbols, Refs);
  Alone.AlsoForStock = none_of(Isolated, [&](const GlobalObject *G) { return Keep.contains(G); });
  if (keepOnly(**M, [&](const GlobalObject &G) { return Keep.contains(&G); }) == 0)
    return Alone;
  raw_string_ostream OS(Alone.Bitcode);
  WriteBitcodeToFile(**M, OS);
  return Alone;
}

} // namespace gpuprune
