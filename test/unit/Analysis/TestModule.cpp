//===- TestModule.cpp - Kernels for the tests of lib/Analysis -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestModule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static constexpr char Before[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
)";

static constexpr char After[] = R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.trap()
)";

const BasicBlock &TestModule::block(StringRef In, StringRef Name) {
  for (const BasicBlock &Block : *M->getFunction(In))
    if (Block.getName() == Name)
      return Block;
  ADD_FAILURE() << "no block " << Name.str() << " in " << In.str();
  return M->getFunction(In)->getEntryBlock();
}

static void requireModule(TestModule &Module, SMDiagnostic &Diagnostic) {
  if (Module.M)
    return;
  std::string Text;
  raw_string_ostream Out(Text);
  Diagnostic.print("test", Out);
  ADD_FAILURE() << Text;
}

std::unique_ptr<TestModule> gpuprune::test::parseKernels(StringRef Text) {
  auto Result = std::make_unique<TestModule>();
  SMDiagnostic Diagnostic;
  Result->M = parseAssemblyString((Before + Text + After).str(), Diagnostic, Result->Context);
  requireModule(*Result, Diagnostic);
  return Result;
}

std::unique_ptr<TestModule> gpuprune::test::parseInput(StringRef FileName) {
  auto Result = std::make_unique<TestModule>();
  SMDiagnostic Diagnostic;
  Result->M = parseIRFile((GPUPRUNE_SOURCE_DIR "/test/unit/Analysis/Inputs/" + FileName).str(), Diagnostic,
                          Result->Context);
  requireModule(*Result, Diagnostic);
  return Result;
}

static std::unique_ptr<TargetMachine> makeMachine() {
  static bool Initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)Initialized;
  Triple TargetTriple("nvptx64-nvidia-cuda");
  std::string Error;
  const Target *NVPTX = TargetRegistry::lookupTarget(TargetTriple, Error);
  TargetOptions Options;
  Options.AllowFPOpFusion = FPOpFusion::Fast;
  return std::unique_ptr<TargetMachine>(NVPTX->createTargetMachine(
      TargetTriple, "sm_90", "+ptx88", Options, Reloc::Static, std::nullopt, CodeGenOptLevel::Aggressive));
}

namespace {
/// A pass builder with all its managers.
struct Pipeline {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;

  explicit Pipeline(TargetMachine *Machine) : Builder(Machine) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
};
} // namespace

BlockFrequencies gpuprune::test::frequencies(TestModule &Module, StringRef Function,
                                             const LaunchContext &Launch) {
  Pipeline Passes(nullptr);
  llvm::Function &F = Module.function(Function);
  return computeBlockFrequencies(F, Passes.Functions.getResult<LoopAnalysis>(F),
                                 Passes.Functions.getResult<ScalarEvolutionAnalysis>(F), Launch);
}

Generated gpuprune::test::generate(TestModule &Module, StringRef Kernel, const LaunchContext &Launch,
                                   bool Optimize, bool Count) {
  std::unique_ptr<TargetMachine> Machine = makeMachine();
  Pipeline Passes(Machine.get());
  FrequencyMap Frequencies;
  ModulePassManager Manager;
  if (Optimize)
    Manager = Passes.Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  Manager.run(*Module.M, Passes.Modules);
  for (Function &F : *Module.M) {
    if (F.isDeclaration())
      continue;
    LaunchContext OfFunction = Launch;
    if (F.getName() != Kernel) // Only the kernel's parameters are known.
      OfFunction.Scalars.clear();
    Frequencies.add(F, computeBlockFrequencies(F, Passes.Functions.getResult<LoopAnalysis>(F),
                                               Passes.Functions.getResult<ScalarEvolutionAnalysis>(F),
                                               OfFunction));
  }

  if (Count)
    installMachineCounting();
  std::optional<MachineCountScope> Scope;
  if (Count)
    Scope.emplace(Frequencies);
  SmallString<0> Buffer;
  raw_svector_ostream Out(Buffer);
  legacy::PassManager CodeGen;
  EXPECT_FALSE(Machine->addPassesToEmitFile(CodeGen, Out, nullptr, CodeGenFileType::AssemblyFile));
  CodeGen.run(*Module.M);
  Generated Result;
  Result.Ptx = std::string(Buffer);
  if (Scope)
    Result.Counts = Scope->take();
  return Result;
}
