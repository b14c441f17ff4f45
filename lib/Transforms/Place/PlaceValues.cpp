//===- PlaceValues.cpp - Values out of registers, at the end of the pipeline ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PlaceValues.h"
#include "Facts/LiveValues.h"
#include "Facts/UseGroups.h"
#include "PlacedValue.h"
#include "ShortenLives.h"
#include "SpillValues.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/Registers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace gpuprune {

/// On a kernel from then on: what was done.
static constexpr StringLiteral DoneAttribute = "gpuprune.placed";

static std::optional<RegistersOptions> requestOf(const Function &F) {
  if (!F.hasFnAttribute(PlacementRequest))
    return std::nullopt;
  Expected<RegistersOptions> Options =
      RegistersOptions::parse(F.getFnAttribute(PlacementRequest).getValueAsString());
  if (Options)
    return std::move(*Options);
  consumeError(Options.takeError()); // No attribute of ours.
  return std::nullopt;
}

void requestPlacement(Function &F, const RegistersOptions &Options) {
  RegistersOptions All = requestOf(F).value_or(RegistersOptions());
  if (Options.Spill) {
    All.Spill = Options.Spill;
    All.SpillTo = Options.SpillTo;
  }
  All.Rematerialise |= Options.Rematerialise;
  All.Sink |= Options.Sink;
  All.Hoist |= Options.Hoist;
  All.SharedSpilling |= Options.SharedSpilling;
  std::string Text;
  raw_string_ostream OS(Text);
  All.print(OS);
  F.addFnAttr(PlacementRequest, Text);
}

std::vector<std::string> placedValues(const Function &F) {
  SmallVector<StringRef, 8> Lines;
  if (F.hasFnAttribute(DoneAttribute))
    F.getFnAttribute(DoneAttribute).getValueAsString().split(Lines, '\n');
  return {Lines.begin(), Lines.end()};
}

static StringRef kindOf(const Type &T) {
  if (T.isPointerTy())
    return "pointer";
  return T.isIntOrIntVectorTy() ? "integer" : "number";
}

std::string nameOfValue(const Instruction &V) {
  std::string Name = kindOf(*V.getType()).str();
  if (const DebugLoc &Where = V.getDebugLoc(); Where && Where.getLine() != 0)
    Name += formatv(" of line {0}", Where.getLine());
  unsigned Words = wordsOf(V);
  return formatv("{0}, {1} word{2}", Name, Words, Words == 1 ? "" : "s");
}

/// A launch of which only the block is known, as far as the kernel's attributes tell: the
/// code must not depend on who compiles it.
static LaunchContext knownLaunch(const Function &F) {
  LaunchContext Launch;
  if (std::optional<LaunchBound> Bound = launchBound(F); Bound && Bound->Exact)
    Launch.Block = Bound->Block;
  return Launch;
}

static void letPtxasSpillToShared(Function &F) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto *T = FunctionType::get(B.getVoidTy(), false);
  B.CreateCall(InlineAsm::get(T, ".pragma \"enable_smem_spilling\";", "", /*hasSideEffects=*/true));
}

static Verdict placeValues(Function &F, const RegistersOptions &Options, FunctionAnalysisManager &FAM,
                           std::vector<std::string> &Done) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  BlockFrequencies Frequencies =
      computeBlockFrequencies(F, Loops, FAM.getResult<ScalarEvolutionAnalysis>(F), knownLaunch(F));
  MovedIn In{F, Frequencies, Loops, FAM.getResult<DominatorTreeAnalysis>(F)};
  foldConstantDistances(F);
  if (Options.Spill)
    if (Verdict Refused = decideSpilling(F, Options, Frequencies, Loops))
      return Refused;
  if (Options.Sink)
    sinkValues(In, Done);
  if (Options.Hoist)
    hoistValues(In, Done);
  if (Options.Rematerialise)
    rematerialiseValues(In, Done);
  if (Options.SharedSpilling)
    letPtxasSpillToShared(F);
  if (Options.Spill)
    spillValues(F, Options, Frequencies, Loops, Done);
  return std::nullopt;
}

static void report(Function &F, ArrayRef<std::string> Done) {
  for (const std::string &Line : Done)
    reportDone(RegistersPass::PassName, "Placed", F, Line);
  if (!Done.empty())
    F.addFnAttr(DoneAttribute, join(Done, "\n"));
}

PreservedAnalyses PlaceValuesPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function *F : selectKernels(M, "")) {
    std::optional<RegistersOptions> Request = requestOf(*F);
    if (!Request)
      continue;
    Changed = true;
    F->removeFnAttr(PlacementRequest);
    std::vector<std::string> Done;
    if (Verdict Refused = placeValues(*F, *Request, FAM, Done))
      reportRefusal(RegistersPass::PassName, *F, *Refused);
    report(*F, Done);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gpuprune
