//===- HostLaunches.cpp - Launches in host code that go to tuned kernels ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLaunches.h"
#include "DispatchCode.h"
#include "KernelRegistration.h"
#include "Messages.h"
#include "VariableProof.h"
#include "gpuprune/Deploy/KernelDigest.h"
#include "gpuprune/Support/Listed.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

namespace {

struct TunedVariant {
  const TuningRecord *Record;
  std::string Symbol; ///< Of its kernel.
};

/// A kernel of the file that records are about.
struct TunedLaunch {
  GlobalValue *Stub = nullptr;
  KernelRegistration::Entry Entry;
  std::vector<TunedVariant> Variants;
  std::vector<std::string> Files; ///< That these are from, quoted.
};

} // namespace

/// Why this program may not launch \p Record's kernel, whose code has initial values of variables; empty
/// where it may.
static std::string whyNotLaunched(Module &M, const TunedLaunch &L, const TuningRecord &Record) {
  for (const std::string &Variable : Record.Contract.UnwrittenVariables) {
    // Each file that has a template's kernel has variables of its own, and which of the kernels is launched
    // only CUDA's runtime knows.
    bool IsOfThisFile = L.Stub->hasLocalLinkage() || L.Stub->hasExternalLinkage();
    std::string Why =
        IsOfThisFile ? whyMayBeWritten(M, Variable) : "several files may have the kernel, each with its own";
    if (!Why.empty())
      return formatv("the tuned kernel has the initial value of the variable '{0}', which the program may "
                     "write: {1}",
                     demangle(Variable), Why);
  }
  return "";
}

static void addVariants(Module &M, const RecordFile &File, TunedLaunch &To) {
  size_t Before = To.Variants.size();
  std::vector<std::string> Left;
  for (const auto &[Record, Symbol] : zip(File.Variants, tunedSymbols(File.Variants, To.Entry.Symbol)))
    if (std::string Why = whyNotLaunched(M, To, Record); Why.empty())
      To.Variants.push_back({&Record, Symbol});
    else if (!is_contained(Left, Why))
      Left.push_back(std::move(Why));
  if (To.Variants.size() == Before)
    return warnOfRecord(M, File.Name, Left.front());
  To.Files.push_back("'" + File.Name + "'");
  for (const std::string &Why : Left)
    noteOfVariants(M, File.Name, Why);
}

/// The kernels of \p Registered that have records, in the order of the file. Where two kernels have the
/// record's name nobody knows which is meant.
static std::vector<TunedLaunch> kernelsWithRecords(Module &M, const KernelRegistration &Registered,
                                                   const RecordFolder &Records) {
  std::vector<TunedLaunch> Found;
  for (const auto &[Stub, Entry] : Registered.kernels())
    Found.push_back({Stub, Entry, {}, {}});
  for (const RecordFile &File : Records.Files) {
    if (File.Variants.empty())
      continue;
    SmallVector<TunedLaunch *, 2> Named;
    for (TunedLaunch &L : Found)
      if (stableSymbol(L.Entry.Symbol) == File.Kernel)
        Named.push_back(&L);
    if (Named.size() > 1)
      warnOfRecord(M, File.Name, "two kernels of this file have its name");
    else if (Named.size() == 1)
      addVariants(M, File, *Named.front());
  }
  erase_if(Found, [](const TunedLaunch &L) { return L.Variants.empty(); });
  return Found;
}

namespace {

/// Calls that take the kernel by a constant.
struct LaunchCalls {
  SmallVector<CallBase *, 4> Launches;      ///< cudaLaunchKernel(kernel, ...)
  SmallVector<CallBase *, 4> Configured;    ///< cudaLaunchKernelExC(config, kernel, ...)
  SmallVector<CallBase *, 4> SetAttributes; ///< cudaFuncSetAttribute(kernel, ...)
};

} // namespace

/// Adds the calls of \p Name whose argument \p Place is \p Stub.
static void addCalls(Module &M, StringRef Name, unsigned Place, const GlobalValue *Stub,
                     SmallVectorImpl<CallBase *> &Calls) {
  Function *Callee = M.getFunction(Name);
  if (!Callee)
    return;
  for (User *U : Callee->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == Callee &&
                                            Place < Call->arg_size() &&
                                            Call->getArgOperand(Place)->stripPointerCasts() == Stub)
      Calls.push_back(Call);
}

static LaunchCalls findCalls(Module &M, const GlobalValue *Stub) {
  LaunchCalls Calls;
  for (StringRef Suffix : {"", "_ptsz"}) {
    addCalls(M, ("cudaLaunchKernel" + Suffix).str(), 0, Stub, Calls.Launches);
    addCalls(M, ("cudaLaunchKernelExC" + Suffix).str(), 1, Stub, Calls.Configured);
  }
  addCalls(M, "cudaFuncSetAttribute", 0, Stub, Calls.SetAttributes);
  return Calls;
}

/// Whether \p New takes \p Behind arguments and those of \p Call, the kernel left out.
static bool fits(const CallBase &Call, const Function &New, unsigned Kernel, unsigned Behind) {
  FunctionType *T = New.getFunctionType();
  SmallVector<Type *, 10> Types;
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    if (I != Kernel)
      Types.push_back(Call.getArgOperand(I)->getType());
  return T->params().drop_front(Behind) == ArrayRef<Type *>(Types) && T->getReturnType() == Call.getType() &&
         none_of(Call.args(), [&](const Use &A) { return Call.isByValArgument(A.getOperandNo()); });
}

/// Calls \p New with \p First and the arguments of \p Call but \p Kernel, in the place of \p Call.
static void replace(CallBase *Call, Function &New, ArrayRef<Value *> First, unsigned Kernel) {
  SmallVector<Value *, 10> Arguments(First);
  for (unsigned I = 0; I != Call->arg_size(); ++I)
    if (I != Kernel)
      Arguments.push_back(Call->getArgOperand(I));
  IRBuilder<> Builder(Call);
  CallBase *Own = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(Call)) // Where an exception would have to destroy something.
    Own = Builder.CreateInvoke(&New, Invoke->getNormalDest(), Invoke->getUnwindDest(), Arguments);
  else
    Own = Builder.CreateCall(&New, Arguments);
  Own->setDebugLoc(Call->getDebugLoc());
  Call->replaceAllUsesWith(Own);
  Call->eraseFromParent();
}

/// Of how many places of the source \p Call is the launch: of one where it was inlined, else of all calls of
/// \p Stub, which has it.
static unsigned placesOf(const CallBase &Call, const GlobalValue *Stub) {
  if (Call.getFunction() != Stub)
    return 1;
  return count_if(Stub->users(), [&](const User *U) {
    const auto *Caller = dyn_cast<CallBase>(U);
    return Caller && Caller->getCalledOperand() == Stub;
  });
}

/// Replaces those that can be. How many places of the source launch by them.
static unsigned replaceCalls(const LaunchCalls &Calls, const DispatchCode &Code, GlobalVariable &Table,
                             const GlobalValue *Stub, FunctionAnalysisManager &FAM) {
  unsigned Places = 0;
  auto ReplaceAll = [&](ArrayRef<CallBase *> Those, Function &EntryPoint, unsigned Kernel, bool IsLaunch) {
    Function *Own = nullptr;
    for (CallBase *Call : Those) {
      if (!fits(*Call, EntryPoint, Kernel, IsLaunch ? 2 : 1))
        continue;
      if (!Own)
        Own = Code.specialize(EntryPoint, Table, FAM);
      SmallVector<Value *, 1> First;
      if (IsLaunch) {
        Places += placesOf(*Call, Stub);
        First.push_back(Call->getCalledOperand());
      }
      replace(Call, *Own, First, Kernel);
    }
  };
  ReplaceAll(Calls.Launches, *Code.Launch, 0, true);
  ReplaceAll(Calls.Configured, *Code.LaunchConfig, 1, true);
  ReplaceAll(Calls.SetAttributes, *Code.SetAttribute, 0, false);
  return Places;
}

/// Relocatable device code by the older driver is registered by code that only the linker makes.
static bool isLinkedByOlderDriver(const Module &M) {
  return any_of(M, [](const Function &F) { return F.getName().starts_with("__cudaRegisterLinkedBinary"); });
}

static void dispatchKernel(Module &M, const TunedLaunch &L, const LaunchCalls &Calls,
                           KernelRegistration &Registered, DispatchCode &Code, FunctionAnalysisManager &FAM) {
  SmallVector<RegisteredRecord, 2> Records;
  StringMap<GlobalVariable *> Handles;
  for (const TunedVariant &V : L.Variants) {
    GlobalVariable *&Handle = Handles[V.Symbol];
    if (!Handle)
      Handle = Registered.add(L.Entry, V.Symbol);
    Records.push_back({V.Record, Handle});
  }
  GlobalVariable *Table = Code.addKernel(L.Stub, stableSymbol(L.Entry.Symbol), Records);
  unsigned Replaced = replaceCalls(Calls, Code, *Table, L.Stub, FAM);
  if (auto *Stub = dyn_cast<Function>(L.Stub); Stub && !Stub->isDeclaration())
    reportDone(
        DeployName, "Dispatch", *Stub,
        formatv(
            "launches of '{0}' in {1} place{2} choose at run time between it and the tuned kernel{3} of {4}, "
            "if the device code has {5}",
            L.Entry.Symbol, Replaced, Replaced == 1 ? "" : "s", Handles.size() == 1 ? "" : "s",
            listed(L.Files, "and"), Handles.size() == 1 ? "it" : "them"));
}

bool dispatchLaunches(Module &M, const RecordFolder &Records, FunctionAnalysisManager &FAM) {
  KernelRegistration Registered(M);
  std::vector<TunedLaunch> Tuned = kernelsWithRecords(M, Registered, Records);
  if (Tuned.empty())
    return false;
  if (isLinkedByOlderDriver(M)) {
    noteOfRecords(M, "relocatable device code is supported with clang++'s --offload-new-driver only");
    return false;
  }
  std::vector<LaunchCalls> Calls;
  for (const TunedLaunch &L : Tuned)
    Calls.push_back(findCalls(M, L.Stub));
  Expected<DispatchCode> Code = DispatchCode::addTo(M);
  if (!Code) {
    noteOfRecords(M, toString(Code.takeError()));
    return false;
  }
  for (const auto &[L, Its] : zip(Tuned, Calls))
    dispatchKernel(M, L, Its, Registered, *Code, FAM);
  return true;
}

} // namespace gpuprune
