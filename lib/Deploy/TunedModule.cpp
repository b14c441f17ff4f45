//===- TunedModule.cpp - One tuned kernel put beside the author's --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TunedModule.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/GlobalReferences.h"
#include "gpuprune/Transforms/KeepOnly.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static Error wrong(const Twine &Why) { return makeError(ErrorKind::Input, Why); }

static bool isShared(const GlobalVariable &V) { return V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED; }

/// Whether its contents alone matter: nothing but loads uses it.
static bool isOnlyLoaded(const Value &V) {
  return all_of(V.users(), [](const User *U) {
    if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(U))
      return isOnlyLoaded(*U);
    return isa<LoadInst>(U);
  });
}

/// Whether the kernel may have one of its own: nobody can tell it from the author's. A launch has its shared
/// arrays to itself.
static bool mayBeCopied(const GlobalVariable &V) {
  return isShared(V) || (V.hasLocalLinkage() && V.isConstant() && !V.isExternallyInitialized() &&
                         (V.hasGlobalUnnamedAddr() || isOnlyLoaded(V)));
}

/// A structure has a type of its own in each module of one context.
static bool haveSameLayout(const Type *A, const Type *B) {
  if (A == B)
    return true;
  if (A->getTypeID() != B->getTypeID() || A->getNumContainedTypes() != B->getNumContainedTypes())
    return false;
  if (A->isArrayTy() && A->getArrayNumElements() != B->getArrayNumElements())
    return false;
  if (const auto *Structure = dyn_cast<StructType>(A);
      Structure && (Structure->isOpaque() || Structure->isPacked() != cast<StructType>(B)->isPacked()))
    return false;
  return (A->isArrayTy() || A->isStructTy()) && all_of(zip(A->subtypes(), B->subtypes()), [](auto Pair) {
           return haveSameLayout(std::get<0>(Pair), std::get<1>(Pair));
         });
}

/// Of two constants of one layout; they may name variables of their modules.
static bool haveSameValue(const Constant *A, const Constant *B) {
  if (A == B || (A->isNullValue() && B->isNullValue()))
    return true;
  if (isa<GlobalValue>(A) && isa<GlobalValue>(B))
    return A->getName() == B->getName();
  const auto *Cast = dyn_cast<ConstantExpr>(A);
  bool HasParts = isa<ConstantAggregate>(A) ||
                  (Cast && Cast->isCast() && A->getType() == B->getType() && isa<ConstantExpr>(B) &&
                   Cast->getOpcode() == cast<ConstantExpr>(B)->getOpcode());
  return HasParts && A->getValueID() == B->getValueID() && A->getNumOperands() == B->getNumOperands() &&
         all_of(zip(A->operands(), B->operands()), [](auto Pair) {
           return haveSameValue(cast<Constant>(std::get<0>(Pair)), cast<Constant>(std::get<1>(Pair)));
         });
}

/// Passes change what is known to nobody else only.
static bool haveSameInitializer(const GlobalVariable &A, const GlobalVariable &B) {
  return !A.hasLocalLinkage() || haveSameValue(A.getInitializer(), B.getInitializer());
}

/// The variable of \p Into that \p V of the tuned kernel is. -O3 divides structures into variables that it
/// numbers; what has such a name in both modules need not be the same.
static Expected<GlobalVariable *> authorsVariable(Module &Into, const GlobalVariable &V,
                                                  NamePredicate IsInSource) {
  GlobalVariable *Authors = IsInSource(V.getName()) ? Into.getNamedGlobal(V.getName()) : nullptr;
  if (!Authors || Authors->isDeclaration() || !haveSameLayout(Authors->getValueType(), V.getValueType()) ||
      Authors->getAddressSpace() != V.getAddressSpace() || !haveSameInitializer(V, *Authors) ||
      Authors->isThreadLocal() != V.isThreadLocal())
    return wrong("the tuned kernel has moved or changed the variable '" + V.getName() +
                 "', and what the program does with it would not reach it");
  if (V.getPointerAlignment(V.getParent()->getDataLayout()) >
      Authors->getPointerAlignment(Into.getDataLayout()))
    return wrong("the tuned kernel reads the variable '" + V.getName() +
                 "' in larger pieces than it is aligned for in the author's code");
  return Authors;
}

/// Each file that has a template's kernel has such variables of its own, and the program launches the kernel
/// of one of the files.
static Error checkFile(const Function &Authors, const GlobalVariable &V) {
  bool IsOfOneFile = (!Authors.isWeakForLinker() && !Authors.hasComdat()) || V.hasExternalLinkage();
  if (IsOfOneFile || (V.isConstant() && !V.isExternallyInitialized()))
    return Error::success();
  return wrong("several files may have the kernel, each with a variable '" + V.getName() + "' of its own");
}

/// Functions that are copied have another address than the author's.
static Error checkAddresses(const Module &Tuned, const GlobalReferences &References, const Function &Kernel) {
  for (const Function &F : Tuned)
    if (!F.isDeclaration() && &F != &Kernel && References.isAddressTaken(F))
      return wrong("the kernel uses the address of '" + F.getName() +
                   "', and the tuned one would have another");
  return Error::success();
}

namespace {

/// The author's variables while a module that names them is linked.
class SharedVariables {
public:
  /// Makes \p V, a definition in the module to link, a declaration of \p Authors.
  void share(GlobalVariable &V, GlobalVariable &Authors);
  /// Puts back what was changed for that.
  void restore();

private:
  struct Changed {
    GlobalVariable *Authors;
    GlobalValue::LinkageTypes Linkage;
    GlobalValue::VisibilityTypes Visibility;
    bool DSOLocal;
    std::string Name;
  };
  SmallVector<Changed, 4> All;
};

} // namespace

void SharedVariables::share(GlobalVariable &V, GlobalVariable &Authors) {
  All.push_back({&Authors, Authors.getLinkage(), Authors.getVisibility(), Authors.isDSOLocal(),
                 Authors.getName().str()});
  Authors.setLinkage(GlobalValue::ExternalLinkage);
  V.setInitializer(nullptr);
  V.setComdat(nullptr);
  V.setLinkage(GlobalValue::ExternalLinkage);
  V.setVisibility(Authors.getVisibility());
  V.setDSOLocal(Authors.isDSOLocal());
  V.setUnnamedAddr(Authors.getUnnamedAddr());
  V.setAlignment(Authors.getAlign());
  V.setConstant(Authors.isConstant());
  V.setExternallyInitialized(Authors.isExternallyInitialized());
}

void SharedVariables::restore() {
  for (const Changed &C : All) {
    C.Authors->setLinkage(C.Linkage);
    C.Authors->setVisibility(C.Visibility);
    C.Authors->setDSOLocal(C.DSOLocal);
    C.Authors->setName(C.Name);
  }
}

static void keepReached(Module &M, const GlobalReferences &References, Function &Kernel) {
  GlobalObjects Reached = References.reachedFrom(Kernel);
  keepOnly(M, [&](const GlobalObject &G) { return Reached.contains(const_cast<GlobalObject *>(&G)); });
}

static Expected<Function *> reduceTo(Module &M, StringRef Symbol) {
  StripDebugInfo(M);
  Function *Kernel = M.getFunction(Symbol);
  if (!Kernel)
    return wrong("the tuned kernel is missing after -O3");
  if (!M.alias_empty() || !M.ifunc_empty() || !M.getModuleInlineAsm().empty())
    return wrong("the file has an alias or assembly at module level");
  for (GlobalVariable &V : make_early_inc_range(M.globals()))
    if (V.getName().starts_with("llvm.") && V.use_empty()) // llvm.used and others like it.
      V.eraseFromParent();
  keepReached(M, GlobalReferences(M), *Kernel);
  for (NamedMDNode &Table : make_early_inc_range(M.named_metadata()))
    if (Table.getName() != "nvvm.annotations")
      Table.eraseFromParent();
  return Kernel;
}

/// What is copied gets a name that nothing of the author's has.
static void makeOwn(GlobalObject &G, StringRef Suffix) {
  G.setComdat(nullptr);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setLinkage(GlobalValue::InternalLinkage);
  // The author's PTX must not take one of these for its own.
  G.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  G.setName(G.getName() + Suffix);
}

/// The linker also moves the variables that both modules have; the order decides where they lie in constant
/// memory.
static bool linkBehind(Module &Into, std::unique_ptr<Module> Tuned) {
  SmallVector<WeakTrackingVH, 16> Before; // A weak declaration is replaced by one.
  for (GlobalVariable &V : Into.globals())
    Before.emplace_back(&V);
  if (Linker::linkModules(Into, std::move(Tuned)))
    return false;
  SetVector<GlobalVariable *> Order;
  for (WeakTrackingVH &V : Before)
    if (auto *Kept = dyn_cast_or_null<GlobalVariable>(V))
      Order.insert(Kept);
  for (GlobalVariable &V : Into.globals())
    Order.insert(&V);
  for (GlobalVariable *V : Order) {
    V->removeFromParent();
    Into.insertGlobalVariable(V);
  }
  return true;
}

/// The variables of \p Tuned that are the author's, each with that: all that may not be copied, and constants
/// where the author's is there, for constant memory is small.
static Expected<SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 4>>
variablesToShare(Module &Into, Module &Tuned, const Function &Authors, NamePredicate IsInSource) {
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 4> Shared;
  for (GlobalVariable &V : Tuned.globals()) {
    if (V.isDeclaration() || isShared(V))
      continue;
    Expected<GlobalVariable *> Its = authorsVariable(Into, V, IsInSource);
    if (Its)
      Shared.push_back({&V, *Its});
    else if (mayBeCopied(V))
      consumeError(Its.takeError());
    else
      return Its.takeError();
    if (Error E = Its ? checkFile(Authors, V) : Error::success())
      return std::move(E);
  }
  return Shared;
}

static uint64_t constantBytes(const Module &M) {
  uint64_t Bytes = 0;
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST && !V.isDeclaration())
      Bytes = SaturatingAdd(Bytes, M.getDataLayout().getTypeAllocSize(V.getValueType()).getFixedValue());
  return Bytes;
}

/// A kernel that was tuned alone had the file's constant memory to itself.
static Error checkConstantMemory(const Module &Into, const Module &Tuned) {
  uint64_t Own = constantBytes(Tuned), All = SaturatingAdd(constantBytes(Into), Own);
  if (Own == 0 || All <= ConstantMemoryBytes)
    return Error::success();
  return wrong(
      formatv("with {0} bytes of the tuned kernel's the file has {1} bytes of constant memory, and a "
              "device has {2}",
              Own, All, ConstantMemoryBytes));
}

/// Gives what is copied names of its own.
static void renameCopies(Module &Tuned, Function &Kernel, StringRef Suffix) {
  for (GlobalVariable &V : Tuned.globals())
    if (V.isDeclaration() && isShared(V))
      V.setName(V.getName() + Suffix); // Dynamic shared memory: the tuned kernel may need more alignment.
    else if (!V.isDeclaration())
      makeOwn(V, Suffix);
  for (Function &F : Tuned)
    if (!F.isDeclaration() && &F != &Kernel)
      makeOwn(F, Suffix);
}

Error addTunedKernel(Module &Into, std::unique_ptr<Module> Tuned, StringRef Symbol, StringRef Name,
                     NamePredicate IsInSource, unsigned &Instructions) {
  if (Into.getNamedValue(Name))
    return wrong("the file has a symbol '" + Name + "' already");
  Expected<Function *> Kernel = reduceTo(*Tuned, Symbol);
  if (!Kernel)
    return Kernel.takeError();
  Function *Authors = Into.getFunction(Symbol);
  if (!Authors)
    return wrong("the author's kernel is gone after -O3");
  auto Shared = variablesToShare(Into, *Tuned, *Authors, IsInSource);
  if (!Shared)
    return Shared.takeError();
  SharedVariables Variables;
  for (auto [V, Its] : *Shared)
    Variables.share(*V, *Its);
  GlobalReferences References(*Tuned); // Without what initialises shared variables.
  keepReached(*Tuned, References, **Kernel);
  if (Error E = joinErrors(checkAddresses(*Tuned, References, **Kernel), checkConstantMemory(Into, *Tuned))) {
    Variables.restore();
    return E;
  }
  renameCopies(*Tuned, **Kernel, Name.drop_front(Symbol.size()));
  (*Kernel)->setComdat(nullptr);
  (*Kernel)->setName(Name);
  (*Kernel)->setLinkage(Authors->hasLocalLinkage() ? GlobalValue::ExternalLinkage : Authors->getLinkage());
  Instructions = Tuned->getInstructionCount();
  bool Linked = linkBehind(Into, std::move(Tuned));
  Variables.restore();
  return Linked ? Error::success() : wrong("the tuned kernel cannot be linked with the author's code");
}

} // namespace gpuprune
