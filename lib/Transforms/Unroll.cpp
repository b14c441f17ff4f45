//===- Unroll.cpp - gpu-unroll: unrolls one numbered loop of a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Unroll.h"
#include "KernelPass.h"
#include "LoopCopies.h"
#include "gpuprune/Support/EnumNames.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassOptions.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<UnrollRemainder> RemainderRows[] = {{UnrollRemainder::Loop, "loop"},
                                                              {UnrollRemainder::Unrolled, "unrolled"},
                                                              {UnrollRemainder::None, "none"}};
static constexpr EnumNames<UnrollRemainder> RemainderNames{RemainderRows};

/// A bound above that is not what the author had in mind.
static constexpr unsigned LargestBoundedUnroll = 1024;

/// Copies that the loop is to have; 0 where factor=full has no answer.
static unsigned copiesOf(const Loop &L, const UnrollOptions &Options, ScalarEvolution &SE) {
  unsigned TripCount = SE.getSmallConstantTripCount(&L);
  if (!Options.Full)
    return TripCount ? std::min(TripCount, Options.Factor) : Options.Factor;
  if (TripCount)
    return TripCount;
  // A bound will do as well, each copy behind its test, unless it is that of the counter's type.
  unsigned Bound = SE.getSmallConstantMaxTripCount(&L);
  return Bound <= LargestBoundedUnroll ? Bound : 0;
}

static Verdict decide(const Loop &L, const UnrollOptions &Options, LoopAnalyses &A, const Influence &OfThread,
                      UnrollPlan &Plan) {
  unsigned Copies = copiesOf(L, Options, A.SE);
  if (Copies == 0)
    return Refusal::inLoop(RefusalKind::UnknownTripCount, L,
                           formatv("loop {0} has no constant trip count", Options.Loop));
  return planCopies(L, Copies, Options.Remainder, A, OfThread, Plan);
}

static Verdict unrollNumbered(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  LoopAnalyses A(F, FAM);
  SmallVector<Loop *, 2> Loops = findLoops(A.LI, Options.Loop);
  if (Loops.empty())
    return noSuchLoop(F, Options.Loop, A.LI);
  for (Loop *L : Loops)
    if (Verdict Refused = bringIntoForm(*L, Options.Loop, A))
      return Refused;
  Influence OfThread = influenceOfThread(F);
  SmallVector<UnrollPlan, 2> Plans(Loops.size());
  for (auto [L, Plan] : zip(Loops, Plans))
    if (Verdict Refused = decide(*L, Options, A, OfThread, Plan))
      return Refused;
  // The copies that an earlier pass made of the loop lie side by side, so
  // unrolling one leaves the others valid.
  for (auto [L, Plan] : zip(Loops, Plans))
    makeCopies(*L, Plan, A);
  return std::nullopt;
}

PreservedAnalyses UnrollPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done = Options.Full ? formatv("unrolled loop {0} fully", Options.Loop).str()
                                  : formatv("unrolled loop {0} by {1}", Options.Loop, Options.Factor).str();
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Unrolled", Done, Options.Loop, [&](Function &F) {
    Verdict Refused = unrollNumbered(F, Options, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

Expected<UnrollOptions> UnrollOptions::parse(StringRef Text) {
  UnrollOptions Options;
  LoopAndFactor Both(Options.Loop, Options.Factor);
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key == "factor" && Value == "full")
      Options.Full = true;
    if (Key == "remainder") {
      std::optional<UnrollRemainder> Known = RemainderNames.find(Value);
      if (!Known)
        return makeError(ErrorKind::Input,
                         formatv("option 'remainder={0}' needs loop, unrolled or none", Value));
      Options.Remainder = *Known;
      return true;
    }
    return Both.take(Key, Value, "full");
  };
  StringRef Known = "loop=N, factor=F|full, remainder=loop|unrolled|none, kernel=NAME";
  if (Error E = parsePassOptions(UnrollPass::PassName, Text, Known, Options.Kernel, Take))
    return std::move(E);
  if (Error E = Both.check(UnrollPass::PassName, "loop=N;factor=F|full"))
    return std::move(E);
  return Options;
}

void UnrollOptions::print(raw_ostream &OS) const {
  OS << "loop=" << Loop << ";factor=";
  if (Full)
    OS << "full";
  else
    OS << Factor;
  if (Remainder != UnrollRemainder::Loop)
    OS << ";remainder=" << RemainderNames.nameOf(Remainder);
  printKernelOption(OS, Kernel);
}

void UnrollPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
