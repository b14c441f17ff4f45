//===- IsolateKernels.cpp - What other kernels of a file do not change ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/IsolateKernels.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuprune {

/// PTX has no sections, and LLVM neither aligns nor merges what is in one. Two, for a section is
/// either written to or not where the code is run on the CPU.
static constexpr StringLiteral ConstantSection = ".gpuprune.constant", VariableSection = ".gpuprune.variable";

namespace {

class Isolation {
public:
  explicit Isolation(Module &M);
  GlobalObjects run();

private:
  /// What is there whoever calls it, and goes its own way.
  struct Root {
    Function *F;
    GlobalObjects Reached = {};      ///< By way of other roots, too.
    BitVector Roots = {};            ///< Of those reached, itself included.
    SetVector<Function *> Code = {}; ///< What it calls with no other root in between.
  };

  Module &M;
  GlobalReferences Refs;
  std::vector<Root> Roots;
  DenseMap<const GlobalObject *, BitVector> Users; ///< The roots that reach it.
  DenseMap<const Function *, unsigned> Owners;     ///< Whose Code it is.
  SetVector<Function *> Copied;
  GlobalObjects Changed;

  bool isRoot(const Function &F) const;
  bool isSeparable(const BitVector &Of) const;
  SetVector<Function *> codeOf(const Function &F) const;
  void chooseFunctions();
  void giveCopies(Root &R);
  void eraseCopied();
  void pinVariables();
  void keepLayout();
};

} // namespace

bool Isolation::isRoot(const Function &F) const {
  return isKernel(F) || !F.isDiscardableIfUnused() || Refs.isAddressTaken(F);
}

SetVector<Function *> Isolation::codeOf(const Function &F) const {
  SetVector<Function *> Code;
  auto AddCallees = [&](const Function &Caller) {
    for (GlobalObject *Named : Refs.of(Caller))
      if (auto *Callee = dyn_cast<Function>(Named); Callee && !Callee->isDeclaration() && !isRoot(*Callee))
        Code.insert(Callee);
  };
  AddCallees(F);
  for (size_t I = 0; I < Code.size(); ++I)
    AddCallees(*Code[I]);
  return Code;
}

Isolation::Isolation(Module &M) : M(M), Refs(M) {
  DenseMap<const GlobalObject *, unsigned> Numbers;
  for (Function &F : M)
    if (!F.isDeclaration() && isRoot(F)) {
      Numbers[&F] = Roots.size();
      Roots.push_back({&F, Refs.reachedFrom(F), {}, codeOf(F)});
    }
  for (auto [Number, R] : enumerate(Roots)) {
    for (const Function *F : R.Code)
      ++Owners[F];
    R.Roots.resize(Roots.size());
    for (const GlobalObject *G : R.Reached) {
      BitVector &Of = Users[G];
      Of.resize(Roots.size());
      Of.set(Number);
      if (auto Found = Numbers.find(G); Found != Numbers.end())
        R.Roots.set(Found->second);
    }
  }
}

/// Whether there is a kernel among \p Of which may be without another of them: it does not reach it.
bool Isolation::isSeparable(const BitVector &Of) const {
  return any_of(Of.set_bits(),
                [&](unsigned Number) { return isKernel(*Roots[Number].F) && Of.test(Roots[Number].Roots); });
}

/// Internal functions that are shared, and those in between, whose calls are to be of the copies.
void Isolation::chooseFunctions() {
  for (Function &F : M)
    if (F.hasLocalLinkage() && Owners.lookup(&F) > 1 && isSeparable(Users.lookup(&F)))
      Copied.insert(&F);
  for (size_t I = 0; I < Copied.size(); ++I)
    for (GlobalObject *Holder : Refs.to(*Copied[I]))
      if (auto *Caller = dyn_cast<Function>(Holder); Caller && Owners.lookup(Caller) > 1)
        Copied.insert(Caller);
}

static void redirectCalls(Function &F, const DenseMap<Function *, Function *> &To) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Copy = To.lookup(Call->getCalledFunction()))
        Call->setCalledFunction(Copy);
}

static Function *copyOf(Function &F, const Twine &Name) {
  auto *Copy = Function::Create(F.getFunctionType(), F.getLinkage(), F.getAddressSpace(), Name);
  F.getParent()->getFunctionList().insert(F.getIterator(), Copy);
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip_equal(F.args(), Copy->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  return Copy;
}

void Isolation::giveCopies(Root &R) {
  DenseMap<Function *, Function *> Copies;
  for (Function *F : R.Code)
    if (Copied.contains(F))
      Changed.insert(Copies[F] = copyOf(*F, F->getName() + "$" + R.F->getName()));
  if (Copies.empty())
    return;
  redirectCalls(*R.F, Copies);
  for (Function *F : R.Code)
    redirectCalls(Copied.contains(F) ? *Copies[F] : *F, Copies);
}

/// Nothing but one another calls them any more, unless it is code that nothing reaches.
void Isolation::eraseCopied() {
  bool Called = any_of(Copied, [&](Function *F) {
    return any_of(F->users(), [&](User *U) {
      auto *I = dyn_cast<Instruction>(U);
      return !I || !Copied.contains(I->getFunction());
    });
  });
  if (Called)
    return;
  for (Function *F : Copied)
    F->dropAllReferences();
  for (Function *F : Copied)
    F->eraseFromParent();
}

void Isolation::pinVariables() {
  // Equal constants become one.
  DenseMap<const Constant *, BitVector> UsersOfContents;
  auto CanMerge = [](const GlobalVariable &V) { return V.isConstant() && V.hasDefinitiveInitializer(); };
  for (const GlobalVariable &V : M.globals())
    if (CanMerge(V))
      UsersOfContents[V.getInitializer()] |= Users.lookup(&V);
  for (GlobalVariable &V : M.globals()) {
    if (V.getName().starts_with("llvm.") || !V.canIncreaseAlignment() || V.hasSection() || !V.getAlign())
      continue;
    if (!isSeparable(CanMerge(V) ? UsersOfContents.lookup(V.getInitializer()) : Users.lookup(&V)))
      continue;
    V.setSection(V.isConstant() ? ConstantSection : VariableSection);
    Changed.insert(&V);
  }
}

/// Variables lie in constant memory one behind the other, and dynamic shared memory makes ptxas write
/// another section for each kernel: neither goes because a kernel does without it.
void Isolation::keepLayout() {
  SmallVector<GlobalValue *, 4> Variables;
  for (GlobalVariable &V : M.globals()) {
    bool IsDynamicShared = V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && V.isDeclaration();
    bool MayGo = V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST && V.isDiscardableIfUnused();
    if (IsDynamicShared || MayGo)
      Variables.push_back(&V);
  }
  if (Variables.empty() || count_if(M, isKernel) < 2)
    return;
  appendToCompilerUsed(M, Variables);
  for (GlobalValue *V : Variables)
    Changed.insert(cast<GlobalObject>(V));
}

GlobalObjects Isolation::run() {
  pinVariables();
  keepLayout();
  chooseFunctions();
  if (Copied.empty())
    return Changed;
  for (Root &R : Roots)
    giveCopies(R);
  eraseCopied();
  return Changed;
}

GlobalObjects isolateKernels(Module &M) { return Isolation(M).run(); }

PreservedAnalyses IsolateKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  return isDeviceModule(M) && !isolateKernels(M).empty() ? PreservedAnalyses::none()
                                                         : PreservedAnalyses::all();
}

} // namespace gpuprune
