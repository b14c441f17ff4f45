//===- BlockCoarsen.cpp - gpu-block-coarsen: one block does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "Coarsening.h"
#include "KernelPass.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassOptions.h"

using namespace llvm;

namespace gpuprune {

Expected<bool> parseLoops(StringRef Value, bool &Jam) {
  if (Value != "jam" && Value != "apart")
    return makeError(ErrorKind::Input, formatv("option 'loops={0}' needs jam or apart", Value));
  Jam = Value == "jam";
  return true;
}

Coarsening coarseningOf(const BlockCoarsenOptions &Options) {
  Coarsening C;
  C.Factor = Options.Factor;
  C.Layout = Options.Shared;
  C.OneByOne = Options.Sequential;
  C.JamLoops = Options.JamLoops;
  C.AnyGrid = Options.AnyGrid;
  return C;
}

PreservedAnalyses BlockCoarsenPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::string Done = formatv("a block does the work of {0}x{1}x{2}", Options.Factor[0], Options.Factor[1],
                             Options.Factor[2]);
  if (Options.AnyGrid)
    Done += "; any grid may be launched";
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Coarsened", Done, std::nullopt,
                              [&](Function &F) { return coarsenKernel(F, coarseningOf(Options)); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// In the order of SharedLayout.
static constexpr StringRef LayoutNames[] = {"blocked", "interleaved", "grouped"};

Expected<BlockCoarsenOptions> BlockCoarsenOptions::parse(StringRef Text) {
  BlockCoarsenOptions Options;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key == "shared") {
      const StringRef *Name = find(LayoutNames, Value);
      if (Name == std::end(LayoutNames))
        return makeError(ErrorKind::Input,
                         formatv("option 'shared={0}' needs blocked, interleaved or grouped", Value));
      Options.Shared = SharedLayout(Name - LayoutNames);
      return true;
    }
    if (Key == "mode") {
      if (Value != "jam" && Value != "sequential")
        return makeError(ErrorKind::Input, formatv("option 'mode={0}' needs jam or sequential", Value));
      Options.Sequential = Value == "sequential";
      return true;
    }
    if (Key == "loops")
      return parseLoops(Value, Options.JamLoops);
    if (Key == "grid") {
      if (Value != "divisible" && Value != "any")
        return makeError(ErrorKind::Input, formatv("option 'grid={0}' needs divisible or any", Value));
      Options.AnyGrid = Value == "any";
      return true;
    }
    size_t Dimension = StringRef("xyz").find(Key);
    if (Key.size() != 1 || Dimension == StringRef::npos)
      return false;
    Expected<unsigned> Factor = parseNumber(Key, Value, 1);
    if (!Factor)
      return Factor.takeError();
    Options.Factor[Dimension] = *Factor;
    return true;
  };
  StringRef Known = "x=F, y=F, z=F, shared=blocked|interleaved|grouped, mode=jam|sequential, "
                    "loops=jam|apart, grid=divisible|any, kernel=NAME";
  if (Error E = parsePassOptions(BlockCoarsenPass::PassName, Text, Known, Options.Kernel, Take))
    return std::move(E);
  return Options;
}

void BlockCoarsenOptions::print(raw_ostream &OS) const {
  OS << "x=" << Factor[0] << ";y=" << Factor[1] << ";z=" << Factor[2]
     << ";shared=" << LayoutNames[unsigned(Shared)];
  if (Sequential)
    OS << ";mode=sequential";
  if (!JamLoops)
    OS << ";loops=apart";
  if (AnyGrid)
    OS << ";grid=any";
  printKernelOption(OS, Kernel);
}

void BlockCoarsenPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
