//===- HostLowering.cpp - From device IR to IR of this machine -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLowering.h"
#include "Engine/CodeMap.h"
#include "Engine/DeviceRuntime.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace gpuprune {

static Error selectRequested(Module &M, ArrayRef<std::string> Names, SmallPtrSetImpl<Function *> &Selected) {
  for (Function *F : selectKernels(M, ""))
    if (Names.empty())
      Selected.insert(F);
  for (const std::string &Name : Names) {
    SmallVector<Function *, 4> Found = selectKernels(M, Name);
    if (Found.size() != 1)
      return makeError(ErrorKind::Input, formatv("{0} kernel '{1}' in the device code{2}",
                                                 Found.empty() ? "no" : "more than one", Name,
                                                 Found.empty() ? "" : "; name it by its symbol"));
    Selected.insert(Found.front());
  }
  if (Selected.empty())
    return makeError(ErrorKind::Input,
                     "no kernel in the device code; expected at least one __global__ function");
  return Error::success();
}

/// Leaves the selected kernels and what they need.
static void dropTheRest(Module &M, const SmallPtrSetImpl<Function *> &Selected) {
  for (Function &F : M) {
    if (F.isDeclaration() || Selected.contains(&F))
      continue;
    if (isKernel(F))
      F.deleteBody();
    else
      F.setLinkage(GlobalValue::InternalLinkage);
  }
  // Lists of what to keep, and annotations: of no use here.
  for (GlobalVariable &GV : make_early_inc_range(M.globals()))
    if (GV.getName().starts_with("llvm.") && GV.getName() != "llvm.global_ctors")
      GV.eraseFromParent();
  PassBuilder PB;
  AnalysisManagers Analyses;
  Analyses.registerAll(PB);
  GlobalDCEPass().run(M, Analyses.Modules);
}

/// Types are laid out here as they are on the GPU, or nothing would fit.
static Error checkLayout(const Module &M, const DataLayout &Host) {
  for (StructType *Type : M.getIdentifiedStructTypes()) {
    if (!Type->isSized() || Type->containsHomogeneousScalableVectorTypes())
      continue;
    const StructLayout *Device = M.getDataLayout().getStructLayout(Type), *Ours = Host.getStructLayout(Type);
    if (Device->getSizeInBytes() != Ours->getSizeInBytes() ||
        Device->getMemberOffsets() != Ours->getMemberOffsets())
      return makeError(ErrorKind::Refused,
                       formatv("'{0}' is laid out differently on the GPU and on this machine; "
                               "kernels with it cannot run on the CPU",
                               Type->getName()));
  }
  return Error::success();
}

/// Attributes that speak of the GPU as a target go; the stack is probed, so that
/// a frame larger than a guard page cannot step over it.
static void retargetFunction(Function &F) {
  for (const char *Attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                "stack-protector-buffer-size", "no-trapping-math"})
    F.removeFnAttr(Attribute);
  for (Attribute::AttrKind Kind :
       {Attribute::StackProtect, Attribute::StackProtectReq, Attribute::StackProtectStrong,
        Attribute::UWTable, Attribute::MinSize, Attribute::OptimizeForSize})
    F.removeFnAttr(Kind);
  F.addFnAttr("probe-stack", "inline-asm");
  F.addFnAttr(Attribute::NoUnwind);
  F.setComdat(nullptr);
  F.setSection("");
}

/// Where a thread can wait for another one.
static bool threadsMeet(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() && isMeetingPoint(F.getName());
  });
}

static Error verify(const Module &M) {
  std::string Problem;
  raw_string_ostream OS(Problem);
  if (verifyModule(M, &OS))
    return makeError(ErrorKind::Internal, "the lowering for the CPU made broken IR: " + Problem);
  return Error::success();
}

/// What the launch has to know of \p F, in terms of the GPU's layout.
static HostKernel describeKernel(const Function &F) {
  HostKernel Kernel;
  Kernel.Symbol = F.getName().str();
  for (const Argument &A : F.args()) {
    if (A.getType()->isPointerTy() && !A.hasByValAttr())
      Kernel.Pointers.push_back(A.getArgNo());
    Type *Type = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    Kernel.ParameterBytes.push_back(F.getDataLayout().getTypeAllocSize(Type));
  }
  return Kernel;
}

Expected<LoweredModule> lowerForHost(Module &M, const TargetMachine &TM, const HostOptions &Options) {
  if (!isDeviceModule(M))
    return makeError(ErrorKind::Input, formatv("the module is for '{0}', not for an NVIDIA GPU; compile with "
                                               "--cuda-device-only",
                                               M.getTargetTriple().str()));
  SmallPtrSet<Function *, 4> Selected;
  if (Error E = selectRequested(M, Options.Kernels, Selected))
    return std::move(E);
  dropTheRest(M, Selected);
  DataLayout HostLayout = TM.createDataLayout();
  if (Error E = checkLayout(M, HostLayout))
    return std::move(E);

  LoweredModule Result;
  SmallVector<Function *, 4> Kernels = selectKernels(M, "");
  for (const Function *Kernel : Kernels)
    Result.Kernels.push_back(describeKernel(*Kernel));
  ThreadAccess Threads(M);
  requestLineTables(M);
  if (Options.WatchMemory)
    mergeAccesses(M);
  if (Options.WatchMemory && Options.WatchBranches)
    insertBranchWatch(M, Threads, Result.Sites); // Before there are branches that are not the kernel's.
  insertYields(M, Threads);
  if (Options.CountSteps)
    insertStepCounters(M, Threads);
  if (Error E = lowerIntrinsics(M, Threads))
    return std::move(E);
  if (Options.WatchMemory)
    insertMemoryWatch(M, Threads, Result.Sites);
  if (Error E = lowerFloatingPoint(M, Threads))
    return std::move(E);
  if (Error E = lowerSharedVariables(M, Threads, Kernels, Result.Kernels))
    return std::move(E);
  Expected<std::vector<LoweredVariable>> Variables = lowerDeviceVariables(M);
  if (!Variables)
    return Variables.takeError();
  Result.Variables = std::move(*Variables);

  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(HostLayout);
  for (Function *Kernel : Kernels)
    Result.Entries.push_back(createEntry(*Kernel));
  if (Error E = checkExternals(M, Result.Variables))
    return std::move(E);
  for (Function &F : M)
    retargetFunction(F);
  if (Error E = verify(M))
    return std::move(E);
  for (HostKernel &Kernel : Result.Kernels) {
    Kernel.ThreadsMeet = threadsMeet(M);
  }
  return Result;
}

} // namespace gpuprune
