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
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/BlockShapePrinter.h"
#include "gpuprune/Transforms/CoarseningPlanPrinter.h"
#include "gpuprune/Transforms/IsolateKernels.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/Memory.h"
#include "gpuprune/Transforms/PinContraction.h"
#include "gpuprune/Transforms/PlaceValues.h"
#include "gpuprune/Transforms/Prefetch.h"
#include "gpuprune/Transforms/PrefetchPlanPrinter.h"
#include "gpuprune/Transforms/Prepare.h"
#include "gpuprune/Transforms/Registers.h"
#include "gpuprune/Transforms/SpareBarriers.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "gpuprune/Transforms/Unroll.h"
#include "gpuprune/Transforms/UnrollAndJam.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace gpuprune {

/// A pass's options. LLVM takes no errors from a parser but StringErrors.
template <typename OptionsT> static Expected<OptionsT> parseOptions(StringRef Text) {
  Expected<OptionsT> Options = OptionsT::parse(Text);
  return Options ? std::move(Options) : createStringError(toString(Options.takeError()));
}

static Expected<bool> parseShapeOptions(StringRef Text) {
  Expected<bool> Distinct = BlockShapePrinterPass::parseOptions(Text);
  return Distinct ? std::move(Distinct) : createStringError(toString(Distinct.takeError()));
}

namespace {

/// TargetPassRegistry.inc needs a `this` to capture.
struct Registration {
  void run(PassBuilder &PB){
#define GET_PASS_REGISTRY "gpuprune/Passes/GpuPrunePasses.def"
#include "llvm/Passes/TargetPassRegistry.inc"
  }
};

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

/// A variant's pipeline may name any of LLVM's passes; none of them is to run on
/// the host side of a compile.
class DevicePipelinePass : public PassInfoMixin<DevicePipelinePass> {
public:
  explicit DevicePipelinePass(ModulePassManager Passes) : Passes(std::move(Passes)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    return isDeviceModule(M) ? Passes.run(M, MAM) : PreservedAnalyses::all();
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

void registerPasses(PassBuilder &PB) {
  static Registration R;
  R.run(PB);
  // What schedulePipeline puts at both ends, by itself; no pipeline of a variant names it.
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "gpu-place-values")
          MPM.addPass(PlaceValuesPass());
        else if (Name == "gpu-isolate-kernels")
          MPM.addPass(IsolateKernelsPass());
        else
          return false;
        return true;
      });
  for (const auto &Register : addedPasses())
    Register(PB);
}

/// LLVM knows no pass by a misspelt name, and says no more than that.
static Error checkOwnName(StringRef Name) {
  static constexpr StringRef Known[] = {
#define MODULE_PASS(NAME, CREATE_PASS) NAME,
#define MODULE_PASS_WITH_PARAMS(NAME, CLASS, CREATE_PASS, PARSER, PARAMS) NAME,
#include "gpuprune/Passes/GpuPrunePasses.def"
  };
  if (!Name.starts_with("gpu-") || is_contained(Known, Name))
    return Error::success();
  return makeError(ErrorKind::Input, "unknown pass '" + Name + "'" + nearestNameHint(Name, Known));
}

/// LLVM reports bad options of a pass as an unknown pass name and prints the
/// reason, so they are looked at first. What is wrong with the rest of the text,
/// LLVM says.
static Error checkOptions(StringRef Pipeline) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes) {
    consumeError(Passes.takeError());
    return Error::success();
  }
  for (const PassMention &Pass : *Passes) {
    if (Error E = checkOwnName(Pass.Name))
      return E;
#define MODULE_PASS_WITH_PARAMS(NAME, CLASS, CREATE_PASS, PARSER, PARAMS)                                    \
  if (Pass.Name == NAME)                                                                                     \
    if (auto Parsed = PARSER(Pass.Options); !Parsed)                                                         \
      return Parsed.takeError();
#include "gpuprune/Passes/GpuPrunePasses.def"
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
    E = checkOptions(Pipeline);
  if (!E)
    E = PB.parsePassPipeline(MPM, Pipeline);
  if (E)
    return makeError(ErrorKind::Input,
                     formatv("pipeline {0}: {1}", quoted(Pipeline), toString(std::move(E))));
  return Error::success();
}

ArrayRef<StringLiteral> passNames() {
  static constexpr StringLiteral Names[] = {
#define MODULE_PASS(NAME, CREATE_PASS) NAME,
#define MODULE_PASS_WITH_PARAMS(NAME, CLASS, CREATE_PASS, PARSER, PARAMS) NAME,
#define FUNCTION_PASS(NAME, CREATE_PASS) NAME,
#define FUNCTION_PASS_WITH_PARAMS(NAME, CLASS, CREATE_PASS, PARSER, PARAMS) NAME,
#include "gpuprune/Passes/GpuPrunePasses.def"
  };
  return Names;
}

Error checkPipeline(StringRef Pipeline) {
  PassBuilder PB;
  registerPasses(PB);
  ModulePassManager MPM;
  return parsePipeline(PB, Pipeline, MPM);
}

Expected<bool> changesGeometry(StringRef Pipeline) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes)
    return Passes.takeError();
  for (const PassMention &Pass : *Passes) {
#define GEOMETRY_PASS(NAME, PARSER, CHANGES)                                                                 \
  if (Pass.Name == NAME) {                                                                                   \
    auto Parsed = PARSER(Pass.Options);                                                                      \
    if (!Parsed)                                                                                             \
      return Parsed.takeError();                                                                             \
    const auto &O = *Parsed;                                                                                 \
    if (CHANGES)                                                                                             \
      return true;                                                                                           \
  }
#include "gpuprune/Passes/GpuPrunePasses.def"
  }
  return false;
}

Expected<bool> looksAtOtherKernels(StringRef Pipeline) {
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Pipeline);
  if (!Passes)
    return Passes.takeError();
  for (const PassMention &Pass : *Passes) {
    if (!is_contained(passNames(), Pass.Name))
      return true;
    if (Pass.Name != MemoryPass::PassName)
      continue;
    Expected<MemoryOptions> Options = MemoryOptions::parse(Pass.Options);
    if (!Options)
      return Options.takeError();
    if (!Options->Symbol.empty())
      return true;
  }
  return false;
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
  });
}

} // namespace gpuprune
