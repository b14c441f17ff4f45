//===- PrefetchPlanPrinter.cpp - print<gpu-prefetch-plan> --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/PrefetchPlanPrinter.h"
#include "Kernel/PlanPrinting.h"
#include "PrefetchKernel.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Prints what is planned for one loop of a kernel.
class PlanPrinter {
public:
  PlanPrinter(raw_ostream &Out, Function &F, const PrefetchPlan &Plan)
      : Out(Out), Plan(Plan), Slots(F.getParent()) {
    Slots.incorporateFunction(F);
  }
  void printHeader();
  void printAhead();
  void printCopies(const SharedPrefetch &Shared);
  void printPlace(const Instruction *Barrier);
  void printStaying();

private:
  raw_ostream &Out;
  const PrefetchPlan &Plan;
  ModuleSlotTracker Slots;

  void print(StringRef What, const Instruction &I);
  void printName(const Value &V) { V.printAsOperand(Out, /*PrintType=*/false, Slots); }
  void printConditions(StringRef What, ArrayRef<PathCondition> Conditions);
};

} // namespace

void PlanPrinter::print(StringRef What, const Instruction &I) {
  Out << "    " << What << ":";
  I.print(Out, Slots);
  Out << '\n';
}

void PlanPrinter::printConditions(StringRef What, ArrayRef<PathCondition> Conditions) {
  for (auto [Index, C] : enumerate(Conditions)) {
    Out << (Index == 0 ? What : " and ");
    printName(*C.Condition);
    Out << (C.Expected ? "" : " is false");
  }
  if (!Conditions.empty())
    Out << '\n';
}

void PlanPrinter::printHeader() {
  Out << "  loop ";
  printName(*Plan.L->getHeader());
  Out << ":\n";
}

void PlanPrinter::printAhead() {
  for (const PHINode *Phi : Plan.Ahead->state())
    print("state", *Phi);
  printConditions("    another iteration follows if ", Plan.Next);
  for (const AheadLoad &A : Plan.Loads) {
    print("ahead", *A.Load);
    printConditions("      if ", A.Conditions);
  }
}

void PlanPrinter::printCopies(const SharedPrefetch &Shared) {
  for (const PrivateArray &Array : Shared.Arrays) {
    Out << "    buffers: ";
    printName(*Array.Uses.Object);
    Out << '\n';
  }
  for (const AsyncCopy &Copy : Shared.Copies) {
    Out << "    copy of " << Copy.Bytes << " bytes from ";
    printName(*Copy.Load->getPointerOperand());
    Out << " to ";
    printName(*Copy.Store->getPointerOperand());
    Out << '\n';
  }
  if (Shared.BarrierBefore)
    Out << "    the first copies get a barrier before them\n";
  for (const Instruction *Barrier : Shared.NeedlessBarriers)
    print("removed", *Barrier);
}

void PlanPrinter::printPlace(const Instruction *Barrier) {
  if (Barrier)
    print("made after", *Barrier);
  else
    Out << "    made at the head of the iteration\n";
}

void PlanPrinter::printStaying() {
  for (const Refusal &Why : Plan.Stay)
    Out << "    stays (" << refusalName(Why.Kind) << "): " << Why.Message << '\n';
}

static void printPlans(raw_ostream &Out, Function &F, const KernelPrefetch &Planned, bool Refused) {
  for (auto [Index, Plan] : enumerate(Planned.Loops)) {
    PlanPrinter Printer(Out, F, Plan);
    Printer.printHeader();
    if (Refused) {
      Printer.printStaying();
      continue;
    }
    Printer.printAhead();
    const SharedPrefetch *Shared = Planned.Shared.empty() ? nullptr : &Planned.Shared[Index];
    if (Shared)
      Printer.printCopies(*Shared);
    Printer.printPlace(Shared ? Shared->Barrier : Plan.Barrier);
    Printer.printStaying();
  }
}

PreservedAnalyses PrefetchPlanPrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isDeviceModule(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  // Loops are brought into form before there is a plan for them.
  std::unique_ptr<Module> Copy = CloneModule(M);
  printKernelPlans(*Out, "gpu-prefetch-plan", PrefetchPass::PassName, *Copy, Options, [&](Function &F) {
    SmallVector<Refusal, 4> Stay;
    return prefetchKernel(F, Options, FAM, Stay,
                          [&](Function &Kernel, const KernelPrefetch &Planned, const Verdict &Why) {
                            printPlans(*Out, Kernel, Planned, Why.has_value());
                          });
  });
  for (Function &F : *Copy)
    FAM.clear(F, F.getName());
  return PreservedAnalyses::all();
}

const PassDescriptor &prefetchPlanDescriptor() {
  static const PassDescriptor D = describe<PrefetchPlanPrinterPass, PrefetchOptions>(
      "what is read ahead, and where", {.Role = PassRole::Printer});
  return D;
}

} // namespace gpuprune
