//===- BlockCoarsen.cpp - gpu-block-coarsen: one block does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "Coarsening.h"
#include "Kernel/KernelPass.h"
#include "ReplicaPlan.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Transforms/RaggedLoops.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <set>

using namespace llvm;

namespace gpuprune {

Coarsening coarseningOf(const BlockCoarsenOptions &Options) {
  Coarsening C;
  C.Factor = Options.Factor;
  C.Layout = Options.Shared;
  C.OneByOne = Options.Sequential;
  C.SplitLoops = !Options.LoopsApart;
  C.AnyGrid = Options.AnyGrid;
  C.JointSums = Options.JointSums;
  return C;
}

/// Coarsens \p F, and says which arrays its replicas share.
static Verdict coarsen(Function &F, const Coarsening &C) {
  Module &M = *F.getParent();
  std::string Name = F.getName().str();
  std::set<std::string> Shared;
  Verdict Refused = coarsenKernel(F, C, [&](Function &, const Untouched &, const ReplicaPlan &Plan) {
    for (const JointSum &Sum : Plan.Joint.Arrays)
      Shared.insert(Sum.Array->getName().str());
  });
  if (!Refused && !Shared.empty())
    reportDone(BlockCoarsenPass::PassName, "JointSums", *M.getFunction(Name),
               formatv("replicas add to one array and flush it once: {0}", join(Shared, ", ")));
  return Refused;
}

PreservedAnalyses BlockCoarsenPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::string Done = formatv("a block does the work of {0}x{1}x{2}", Options.Factor[0], Options.Factor[1],
                             Options.Factor[2]);
  if (Options.AnyGrid)
    Done += "; any grid may be launched";
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Coarsened", Done, std::nullopt,
                              [&](Function &F) { return coarsen(F, coarseningOf(Options)); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// "x=F" and so on.
static PassOption<BlockCoarsenOptions> gridFactorOption(unsigned Dimension, StringLiteral Key) {
  return {{Key, "F"},
          [=](StringRef Value, BlockCoarsenOptions &Options) {
            return parseNumber(Key, Value, 1).moveInto(Options.Factor[Dimension]);
          },
          [=](const BlockCoarsenOptions &Options) { return std::to_string(Options.Factor[Dimension]); }};
}

/// One after another, replicas need no copies.
static Error checkBlocks(const BlockCoarsenOptions &Options) {
  if (!Options.Sequential || !Options.JointSums)
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("{0}: sums=joint needs mode=jam: one after another, each replica "
                           "adds up its own sums",
                           BlockCoarsenPass::PassName));
}

const OptionTable<BlockCoarsenOptions> &BlockCoarsenOptions::table() {
  using O = BlockCoarsenOptions;
  static const OptionTable<O> Table{
      BlockCoarsenPass::PassName,
      {gridFactorOption(0, "x"), gridFactorOption(1, "y"), gridFactorOption(2, "z"),
       choiceOption({"shared", "blocked|interleaved|grouped", OptionMeaning::Manner}, &O::Shared,
                    Shown::Always),
       choiceOption({"mode", "jam|sequential", OptionMeaning::Manner}, &O::Sequential, Shown::UnlessDefault),
       loopsOption<O>(), choiceOption({"grid", "divisible|any"}, &O::AnyGrid, Shown::UnlessDefault),
       choiceOption({"sums", "apart|joint", OptionMeaning::Manner}, &O::JointSums, Shown::UnlessDefault),
       kernelOption<O>()},
      checkBlocks};
  return Table;
}

/// Factors of 1 do nothing, nor does a coarsening without factors.
static bool normaliseBlocks(PassElement &Element) {
  auto IsFactor = [](const PassParameter &P) { return is_contained({"x", "y", "z"}, P.Key); };
  erase_if(Element.Parameters, [&](const PassParameter &P) { return IsFactor(P) && P.Value == "1"; });
  return any_of(Element.Parameters, IsFactor);
}

static Dim3 gridDivisor(const PassElement &Coarsen) {
  Dim3 Divisor;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (std::optional<StringRef> Factor = Coarsen.value(StringRef("xyz").substr(D, 1)))
      Factor->getAsInteger(10, Divisor[D]);
  return Divisor;
}

static bool divides(const Dim3 &Divisor, const Dim3 &Grid) {
  return Grid.X % Divisor.X == 0 && Grid.Y % Divisor.Y == 0 && Grid.Z % Divisor.Z == 0;
}

/// A variant that could not be launched at the size to tune, or be checked at none, takes
/// any grid; the others do without the guard.
static void fitGrids(PassElement &Element, const LaunchGrids &Grids) {
  Dim3 Divisor = gridDivisor(Element);
  auto Divides = [&](const Dim3 &Grid) { return divides(Divisor, Grid); };
  if (!Divides(Grids.Tune) || (!Grids.Checks.empty() && none_of(Grids.Checks, Divides)))
    Element.Parameters.push_back({"grid", "any"});
}

static std::vector<std::string> blockFactorsAt(unsigned Step) {
  if (Step < 5)
    return {"1", "2", "4", "8"};
  return Step == 5 ? std::vector<std::string>{"1", "2", "4"} : std::vector<std::string>{"1", "4"};
}

PassOffers offerBlockCoarsening(const std::array<bool, 3> &GridUsed, bool HasSharedArrays,
                                bool HasRaggedLoops, bool HasJointSums) {
  if (!is_contained(GridUsed, true))
    return {};
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    PassElement &Coarsen = Offer.Elements.emplace_back(PassElement{BlockCoarsenPass::PassName, {}});
    auto Add = [&](std::string Key, std::vector<std::string> Values, bool Multiplies = false) {
      Coarsen.Parameters.push_back({Key, "{" + Key + "}"});
      Offer.Choices.push_back({std::move(Key), std::move(Values), Multiplies});
    };
    for (unsigned D = 0; D != GridUsed.size(); ++D)
      if (GridUsed[D])
        Add(std::string(1, "xyz"[D]), blockFactorsAt(Step), /*Multiplies=*/true);
    if (HasSharedArrays)
      Add("shared", {"grouped", "blocked"});
    if (HasRaggedLoops)
      Add("loops", {"none", "apart"});
    if (HasJointSums)
      Add("sums", {"joint", "none"});
    return Offer;
  });
}

namespace {

struct SharedByReplicas {
  bool Joint = false;  ///< Arrays that replicas share in some dimension.
  bool Copied = false; ///< Other arrays that each has a copy of.
};

} // namespace

static SharedByReplicas sharedByReplicas(Function &F, const std::array<bool, 3> &GridUsed) {
  SharedByReplicas Found;
  if (!hasAtomics(*F.getParent(), [](const AtomicRMWInst &) { return true; }))
    return Found;
  for (unsigned D = 0; D != GridUsed.size(); ++D) {
    if (!GridUsed[D])
      continue;
    std::unique_ptr<Module> Copy = CloneModule(*F.getParent());
    Coarsening Joint;
    Joint.JointSums = true;
    Joint.Factor[D] = 2;
    SharedByReplicas InD;
    Verdict Refused = coarsenKernel(*Copy->getFunction(F.getName()), Joint,
                                    [&](Function &, const Untouched &, const ReplicaPlan &Plan) {
                                      InD = {!Plan.Joint.Arrays.empty(), !Plan.Privatised.empty()};
                                    });
    Found = {Found.Joint || (InD.Joint && !Refused), Found.Copied || InD.Copied};
  }
  return Found;
}

static PassOffers offerBlocks(Function &F, FunctionAnalysisManager &, const OfferContext &Context) {
  std::array<bool, 3> GridUsed = {};
  for (unsigned D = 0; Context.Launch.Grid && D != GridUsed.size(); ++D)
    GridUsed[D] = (*Context.Launch.Grid)[D] > 1;
  SharedByReplicas Shared = sharedByReplicas(F, GridUsed);
  bool HasArrays = sharedBytes(F) > 0 || Context.Launch.SharedBytes > 0;
  return offerBlockCoarsening(GridUsed, HasArrays && (!Shared.Joint || Shared.Copied), hasRaggedLoops(F),
                              Shared.Joint);
}

const PassDescriptor &blockCoarsenDescriptor() {
  static const PassDescriptor D = describe<BlockCoarsenPass, BlockCoarsenOptions>(
      "one block does the work of several",
      {.ChangesLaunch =
           [](const BlockCoarsenOptions &O) { return O.Factor != decltype(O.Factor)({1, 1, 1}); },
       .Normalise = normaliseBlocks,
       .FitGrids = fitGrids,
       .Offer = offerBlocks});
  return D;
}

} // namespace gpuprune
