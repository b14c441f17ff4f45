//===- Registry.cpp - Pass names, pipelines and where they run --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Analysis/MetricsPrinter.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Transforms/DynamicShared.h"
#include "gpuprune/Transforms/IsolateKernels.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Transforms/PinContraction.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "gpuprune/Transforms/Prepare.h"
#include "gpuprune/Transforms/SpareBarriers.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace gpuprune {

const PassDescriptor &metricsDescriptor() {
  static const PassDescriptor D = describe<GpuMetricsPrinterPass, NoOptions>(
      "the instructions that a kernel executes", {.Role = PassRole::Printer});
  return D;
}

ArrayRef<const PassDescriptor *> passDescriptors() {
  static const PassDescriptor *const All[] = {
#define GPUPRUNE_PASS(DESCRIPTOR, NAME) &DESCRIPTOR(),
#include "gpuprune/Transforms/GpuPrunePasses.def"
  };
  return All;
}

std::vector<const PassDescription *> passDescriptions() {
  return {passDescriptors().begin(), passDescriptors().end()};
}

const PassDescription *findPass(StringRef Name) {
  for (const PassDescriptor *Pass : passDescriptors())
    if (Pass->Name == Name)
      return Pass;
  return nullptr;
}

namespace {

/// A pipeline that cannot be parsed ends the compile with its message, not the
/// compiler.
class BadPipelinePass : public PassInfoMixin<BadPipelinePass> {
public:
  explicit BadPipelinePass(std::string Message) : Message(std::move(Message)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    M.getContext().diagnose(DiagnosticInfoGeneric(Message, DS_Error));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string Message;
};

/// An error for each function that a pass has left invalid. It becomes empty, so that others can go on.
void rejectInvalid(Module &M) {
  for (Function &F : M) {
    std::string Problem;
    raw_string_ostream OS(Problem);
    if (F.isDeclaration() || !verifyFunction(F, &OS))
      continue;
    M.getContext().diagnose(DiagnosticInfoGeneric(
        "the pipeline has left '" + F.getName() +
            "' invalid, which is a defect of one of its passes: " + StringRef(Problem).split('\n').first,
        DS_Error));
    GlobalValue::LinkageTypes Linkage = F.getLinkage();
    F.deleteBody();
    F.setLinkage(Linkage);
    new UnreachableInst(M.getContext(), BasicBlock::Create(M.getContext(), "", &F));
  }
}

/// A variant's pipeline may name any of LLVM's passes; none of them is to run on
/// the host side of a compile.
class DevicePipelinePass : public PassInfoMixin<DevicePipelinePass> {
public:
  explicit DevicePipelinePass(ModulePassManager Passes) : Passes(std::move(Passes)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    PreservedAnalyses Preserved = Passes.run(M, MAM);
    rejectInvalid(M);
    return Preserved;
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
    Passes.printPipeline(OS, Map);
  }
  static bool isRequired() { return true; }

private:
  ModulePassManager Passes;
};

} // namespace

static std::vector<std::function<void(PassBuilder &)>> &addedPasses() {
  static std::vector<std::function<void(PassBuilder &)>> Added;
  return Added;
}

void addPasses(std::function<void(PassBuilder &)> Register) { addedPasses().push_back(std::move(Register)); }

/// Adds the pass that \p Name, with or without options, is of; LLVM knows a pass by its name and prints why
/// it could not read the options.
template <typename ManagerT>
static bool addByName(StringRef Name, ManagerT &Passes,
                      std::function<Error(StringRef, ManagerT &)> PassDescriptor::*Add) {
  for (const PassDescriptor *Pass : passDescriptors()) {
    if (!(Pass->*Add) || !PassBuilder::checkParametrizedPassName(Name, Pass->Name))
      continue;
    StringRef Options = Name.drop_front(Pass->Name.size());
    if (Options.consume_front("<"))
      Options.consume_back(">");
    Error E = (Pass->*Add)(Options, Passes);
    if (!E)
      return true;
    errs() << toString(std::move(E)) << '\n';
    return false;
  }
  return false;
}

/// What schedulePipeline puts at both ends, by itself; no pipeline of a variant names it.
static bool addEnd(StringRef Name, ModulePassManager &Passes) {
  if (Name == "gpu-place-values")
    Passes.addPass(PlaceValuesPass());
  else if (Name == "gpu-dynamic-shared")
    Passes.addPass(DynamicSharedPass());
  else if (Name == "gpu-isolate-kernels")
    Passes.addPass(IsolateKernelsPass());
  else
    return false;
  return true;
}

void registerPasses(PassBuilder &PB) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks())
    PIC->registerClassToPassNameCallback([PIC] {
      for (const PassDescriptor *Pass : passDescriptors())
        PIC->addClassToPassName(Pass->ClassName, Pass->Name);
    });
  PB.registerPipelineParsingCallback([](StringRef Name, ModulePassManager &Passes, Elements) {
    return addByName(Name, Passes, &PassDescriptor::AddToModule) || addEnd(Name, Passes);
  });
  PB.registerPipelineParsingCallback([](StringRef Name, FunctionPassManager &Passes, Elements) {
    return addByName(Name, Passes, &PassDescriptor::AddToFunction);
  });
  for (const auto &Register : addedPasses())
    Register(PB);
}

/// LLVM knows no pass by a misspelt name, and says no more than that.
static Error noSuchPass(StringRef Name) {
  std::vector<StringRef> Known;
  for (const PassDescriptor *Pass : passDescriptors())
    if (Pass->AddToModule)
      Known.push_back(Pass->Name);
  return makeError(ErrorKind::Input, "unknown pass '" + Name + "'" + nearestNameHint(Name, Known));
}

/// LLVM reports bad options of a pass as an unknown pass name and prints the
/// reason, so they are looked at first.
static Error checkOptions(ArrayRef<PassMention> Passes) {
  for (const PassMention &Mention : Passes) {
    const PassDescription *Pass = findPass(Mention.Name);
    if (!Pass && Mention.Name.starts_with("gpu-"))
      return noSuchPass(Mention.Name);
    if (Pass)
      if (Error E = Pass->Check(Mention.Options))
        return E;
  }
  return Error::success();
}

/// LLVM's parser recurses into parentheses.
static Error checkNesting(StringRef Pipeline) {
  static constexpr unsigned MaxDepth = 50;
  unsigned Depth = 0;
  for (char C : Pipeline) {
    if (C == '(' && ++Depth > MaxDepth)
      return makeError(ErrorKind::Input, "nested more than " + Twine(MaxDepth) + " deep");
    Depth -= C == ')' && Depth;
  }
  return Error::success();
}

/// Appends the passes of \p Pipeline to \p MPM; Input errors name the pipeline.
static Error parsePipeline(PassBuilder &PB, StringRef Pipeline, ModulePassManager &MPM) {
  if (Pipeline.trim().empty())
    return Error::success();
  Error E = checkNesting(Pipeline);
  if (!E)
    E = checkNoVariant(Pipeline);
  if (!E) {
    // Its errors have the column and what was expected; LLVM only says that the pipeline is invalid.
    Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
    if (!Passes)
      return Passes.takeError();
    E = checkOptions(*Passes);
  }
  if (!E)
    E = PB.parsePassPipeline(MPM, Pipeline);
  if (E)
    return makeError(ErrorKind::Input,
                     formatv("pipeline {0}: {1}", quoted(Pipeline), toString(std::move(E))));
  return Error::success();
}

Error checkPipeline(StringRef Pipeline) {
  PassBuilder PB;
  registerPasses(PB);
  ModulePassManager MPM;
  return parsePipeline(PB, Pipeline, MPM);
}

/// Whether \p Holds for one of the passes of \p Pipeline, and \p OfOthers for one that is not ours.
static Expected<bool> anyPass(StringRef Pipeline, bool OfOthers,
                              std::function<Expected<bool>(StringRef)> PassDescription::*Holds) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes)
    return Passes.takeError();
  bool Any = false;
  for (const PassMention &Mention : *Passes) {
    const PassDescription *Pass = findPass(Mention.Name);
    Expected<bool> OfThis = Pass ? (Pass->*Holds)(Mention.Options) : Expected<bool>(OfOthers);
    if (!OfThis)
      return OfThis.takeError();
    Any |= *OfThis;
  }
  return Any;
}

Expected<bool> changesGeometry(StringRef Pipeline) {
  return anyPass(Pipeline, /*OfOthers=*/false, &PassDescription::ChangesLaunch);
}

Expected<bool> looksAtOtherKernels(StringRef Pipeline) {
  return anyPass(Pipeline, /*OfOthers=*/true, &PassDescription::LooksAtOtherKernels);
}

/// A pipeline of a variant such as default<O3> has these extension points itself.
static thread_local bool InsidePipeline = false;

/// At -O0 LLVM leaves out what the passes stand on; a pipeline that cannot be read is an error all the same.
static void addPipeline(PassBuilder &PB, StringRef Pipeline, OptimizationLevel Level,
                        ModulePassManager &MPM) {
  if (InsidePipeline)
    return;
  SaveAndRestore Guard(InsidePipeline, true);
  ModulePassManager Passes;
  Passes.addPass(PreparePass());
  if (Error E = parsePipeline(PB, Pipeline, Passes))
    MPM.addPass(BadPipelinePass("gpuprune: " + toString(std::move(E))));
  else if (Level != OptimizationLevel::O0)
    MPM.addPass(DevicePipelinePass(std::move(Passes)));
}

void schedulePipeline(PassBuilder &PB, StringRef Pipeline) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (!InsidePipeline && Level != OptimizationLevel::O0)
      MPM.addPass(IsolateKernelsPass());
  });
  PB.registerPipelineEarlySimplificationEPCallback(
      [&PB, Text = Pipeline.str()](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
        addPipeline(PB, Text, Level, MPM);
      });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
    if (Level == OptimizationLevel::O0)
      return;
    // What follows sees the code alone, not what earlier passes found out about it: the same code comes of
    // it wherever the pipeline before it ran (CompileReuse.h).
    MPM.addPass(InvalidateAllAnalysesPass());
    FunctionPassManager FPM;
    FPM.addPass(SpareBarriersPass());
    FPM.addPass(SealProductsPass());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    MPM.addPass(PlaceValuesPass());
    if (!InsidePipeline) // Passes of the variant may follow, which would take the arrays for the author's.
      MPM.addPass(DynamicSharedPass());
  });
}

} // namespace gpuprune
