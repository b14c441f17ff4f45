//===- CoarseningPlanPrinter.cpp - print<gpu-coarsening-plan> ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/CoarseningPlanPrinter.h"
#include "Kernel/PlanPrinting.h"
#include "ReplicaPlan.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

Expected<CoarseningPlanOptions> CoarseningPlanOptions::parse(StringRef Text) {
  auto [Unit, Rest] = Text.split(';');
  CoarseningPlanOptions Options;
  if (Unit == "block") {
    Expected<BlockCoarsenOptions> Block = BlockCoarsenOptions::parse(Rest);
    if (!Block)
      return Block.takeError();
    Options.Of = std::move(*Block);
    return Options;
  }
  if (Unit != "thread")
    return makeError(ErrorKind::Input,
                     "print<gpu-coarsening-plan> needs <block;...> or <thread;...>, with the "
                     "options of gpu-block-coarsen or gpu-thread-coarsen after it");
  Expected<ThreadCoarsenOptions> Thread = ThreadCoarsenOptions::parse(Rest);
  if (!Thread)
    return Thread.takeError();
  Options.Of = std::move(*Thread);
  return Options;
}

namespace {

/// Prints the plan of one dimension.
class PlanPrinter {
public:
  PlanPrinter(raw_ostream &Out, Function &F, const Untouched &Skip, const ReplicaPlan &Plan)
      : Out(Out), F(F), Skip(Skip), Plan(Plan), Slots(F.getParent()) {
    Slots.incorporateFunction(F);
  }
  void print();

private:
  raw_ostream &Out;
  Function &F;
  const Untouched &Skip;
  const ReplicaPlan &Plan;
  ModuleSlotTracker Slots;

  void printArray(const PrivateArray &Array);
  void printJoint(const JointSum &Sum);
  void printBlock(BasicBlock &Block);
  std::string times(Instruction &I) const;
};

} // namespace

void PlanPrinter::printArray(const PrivateArray &Array) {
  Out << "    ";
  Array.Uses.Object->printAsOperand(Out, /*PrintType=*/false, Slots);
  Out << ": " << Plan.Factor << " copies, ";
  if (Array.Group == 1)
    Out << "one after the other";
  else
    Out << "in groups of " << Array.Group << " side by side";
  Out << (Array.Based ? ", at pointers of their own\n" : "\n");
}

void PlanPrinter::printJoint(const JointSum &Sum) {
  Out << "    ";
  Sum.Array->printAsOperand(Out, /*PrintType=*/false, Slots);
  Out << ": one for all replicas\n";
}

/// How often an instruction is there afterwards.
std::string PlanPrinter::times(Instruction &I) const {
  if (is_contained(Plan.IndexReads, &I))
    return "index";
  if (is_contained(Plan.ExtentReads, &I))
    return "extent";
  return (Twine(Plan.Replicated.contains(&I) ? Plan.Factor : 1) + "x").str();
}

void PlanPrinter::printBlock(BasicBlock &Block) {
  Out << "  ";
  Block.printAsOperand(Out, /*PrintType=*/false, Slots);
  const auto *Region =
      find_if(Plan.Regions, [&](const ControlRegion &R) { return R.Blocks.contains(&Block); });
  if (Region != Plan.Regions.end())
    Out << ", in region " << Region - Plan.Regions.begin() + 1;
  if (Skip.Blocks.contains(&Block))
    Out << ", replica by replica already";
  Out << ":\n";
  for (Instruction &I : Block) {
    Out << formatv("{0,8}", times(I));
    I.print(Out, Slots);
    Out << '\n';
  }
}

void PlanPrinter::print() {
  Out << "  " << "xyz"[Plan.Dimension] << ": " << Plan.Factor
      << " replicas; replicated: " << Plan.Replicated.size() << " of " << F.getInstructionCount()
      << " instructions\n";
  if (!Plan.Regions.empty())
    Out << "  regions that one replica runs after the other: " << Plan.Regions.size() << '\n';
  if (!Plan.Privatised.empty())
    Out << "  privatised:\n";
  for (const PrivateArray &Array : Plan.Privatised)
    printArray(Array);
  if (!Plan.Joint.Arrays.empty())
    Out << "  joint:\n";
  for (const JointSum &Sum : Plan.Joint.Arrays)
    printJoint(Sum);
  for (BasicBlock &Block : F)
    printBlock(Block);
}

/// \p M is a copy of what is asked about.
static Verdict printPlan(raw_ostream &Out, Function &F, Coarsening C) {
  if (C.replicas() == 1)
    Out << "  nothing is replicated: all factors are 1\n";
  if (C.OneByOne)
    Out << "  one replica runs the whole kernel after the other\n";
  return coarsenKernel(F, C, [&](Function &Kernel, const Untouched &Skip, const ReplicaPlan &Plan) {
    PlanPrinter(Out, Kernel, Skip, Plan).print();
  });
}

template <typename PassT, typename OptionsT>
static void printPlans(raw_ostream &Out, Module &M, const OptionsT &Options) {
  printKernelPlans(Out, "gpu-coarsening-plan", PassT::PassName, M, Options,
                   [&](Function &F) { return printPlan(Out, F, coarseningOf(Options)); });
}

PreservedAnalyses CoarseningPlanPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  // The plan of a dimension is made when those before it are carried out.
  std::unique_ptr<Module> Copy = CloneModule(M);
  if (const auto *Block = std::get_if<BlockCoarsenOptions>(&Options.Of))
    printPlans<BlockCoarsenPass>(*Out, *Copy, *Block);
  else
    printPlans<ThreadCoarsenPass>(*Out, *Copy, std::get<ThreadCoarsenOptions>(Options.Of));
  return PreservedAnalyses::all();
}

const PassDescriptor &coarseningPlanDescriptor() {
  static const PassDescriptor D = describe<CoarseningPlanPrinterPass, CoarseningPlanOptions>(
      "what a coarsening replicates", {.Role = PassRole::Printer});
  return D;
}

} // namespace gpuprune
