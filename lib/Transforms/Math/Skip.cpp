//===- Skip.cpp - gpu-skip: work behind a branch where it is chosen ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Skip.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "SkippedWork.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include <memory>

using namespace llvm;

namespace gpuprune {

/// The blocks of \p F with work that can be skipped.
static std::vector<std::unique_ptr<SkippedWork>> findWork(Function &F) {
  DominatorTree DT(F);
  FloatRanges Ranges(F, DT);
  std::vector<std::unique_ptr<SkippedWork>> Found;
  for (BasicBlock &Block : F)
    if (DT.isReachableFromEntry(&Block))
      if (auto Work = std::make_unique<SkippedWork>(Block, Ranges); !Work->isEmpty())
        Found.push_back(std::move(Work));
  return Found;
}

static bool skipIn(Function &F, unsigned Selects) {
  bool Skips = false;
  for (const auto &Work : findWork(F))
    Skips |= Work->skip(Selects);
  return Skips;
}

static Verdict skipWork(Function &F, unsigned Selects) {
  Function &Copy = copyKernel(F, ".skipped"); // A comparison may turn out to be replaced for nothing.
  bool Skips = skipIn(Copy, Selects);
  if (Skips)
    takeBody(F, Copy);
  Copy.eraseFromParent();
  if (Skips)
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::NothingToSkip, F,
      "no side of a select has as much work of its own as a division, and a condition "
      "that does not need it; of comparisons of a quotient, n / d < 1 and > 1 do not, if d "
      "is known not to be negative, as a square");
}

PreservedAnalyses SkipPass::run(Module &M, ModuleAnalysisManager &) {
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Skipped",
                              "work of selects is behind branches that are taken where it is chosen",
                              std::nullopt, [&](Function &F) { return skipWork(F, Options.Selects); });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<SkipOptions> &SkipOptions::table() {
  using O = SkipOptions;
  static const OptionTable<O> Table{
      SkipPass::PassName,
      {numberOption({"selects", "N", OptionMeaning::Factor}, &O::Selects, Shown::UnlessDefault),
       kernelOption<O>()}};
  return Table;
}

/// In loops, where it is done again and again; more selects to a branch where more results or iterations
/// follow one another.
static PassOffers offerSkipping(Function &F, FunctionAnalysisManager &FAM, const OfferContext &) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  bool IsOffered = any_of(findWork(F), [&](const auto &Work) { return LI.getLoopFor(&Work->block()); });
  return atEachStep([&](unsigned Step) {
    static constexpr unsigned LastStep = 4;
    PassOffer Offer;
    if (!IsOffered || Step > LastStep)
      return Offer;
    Offer.Elements.push_back({SkipPass::PassName, {{"selects", "{skip}"}}});
    Offer.Choices.push_back({"skip", Step == 0 ? std::vector<std::string>{"none", "1", "4", "8"}
                                               : std::vector<std::string>{"none", "4"}});
    return Offer;
  });
}

const PassDescriptor &skipDescriptor() {
  static const PassDescriptor D = describe<SkipPass, SkipOptions>(
      "work that few threads choose is behind a branch", {.Offer = offerSkipping});
  return D;
}

} // namespace gpuprune
