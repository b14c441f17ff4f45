//===- CpuLaunchLink.cpp - Choices against the author's launch ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Link (b) of CpuCheck: what the prepared kernel of a choice of defines and block computes
// is what it computes at the author's launch.
//
//===----------------------------------------------------------------------===//
#include "CpuCheckRuns.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// What \p Reference computes over coarse inputs, with the problem of \p Run.
const DirectedRuns &CpuCheck::directedOf(const BuiltVariant &Reference, ReferenceRun &Run) {
  std::call_once(Run.DirectedDone, [&] {
    MachineWatch Watch(Run.ByMachine);
    Run.Coarse.emplace(withCoarseInputs(*Run.Problem));
    std::shared_ptr<Program> P = programOf(Reference);
    std::lock_guard<std::mutex> Guard(P->Lock);
    Run.Directed =
        runDirected({*Run.Coarse, *P->Code, Reference.Symbol, asWritten(authorLaunch(Run.Coarse->launch())),
                     directedLimit(Run.Seconds), /*Workers=*/0});
  });
  passOnMachine(Run);
  return Run.Directed;
}

/// By a tolerance that is measured; Skipped where that tells nothing.
RunVerdict CpuCheck::compareMeasured(const BuiltVariant &Reference, ReferenceRun &Run,
                                     const BuiltVariant &Author, ReferenceRun &Truth) {
  if (Author.Kernel.Freedom.BreaksTies || !directedOf(Author, Truth).ended())
    return {};
  return compareDirected(Run.Problem->buffers(), directedOf(Reference, Run), directedOf(Author, Truth),
                         Run.Open, &BufferFreedom::BetweenLaunches);
}

/// What \p Reference leaves where buffers of one value alone hold others; no outputs where there are no such
/// buffers.
const KernelRun &CpuCheck::variedOf(const BuiltVariant &Reference, ReferenceRun &Run) {
  std::call_once(Run.VariedDone, [&] {
    MachineWatch Watch(Run.ByMachine);
    Run.Varied.Problem = withVariedConstants(*Run.Problem);
    if (!Run.Varied.Problem) {
      Run.Varied.Note = "no buffer holds one value alone";
      return;
    }
    std::shared_ptr<Program> P = programOf(Reference);
    std::lock_guard<std::mutex> Guard(P->Lock);
    runReference({*Run.Varied.Problem, *P->Code, Reference.Symbol,
                  asWritten(authorLaunch(Run.Problem->launch())), directedLimit(Run.Seconds), /*Workers=*/0},
                 Run.Open, toleranceOf(W), Run.Varied);
  });
  passOnMachine(Run);
  return Run.Varied;
}

/// Over inputs in which equal elements differ; Skipped where that tells nothing.
RunVerdict CpuCheck::compareVaried(const BuiltVariant &Reference, ReferenceRun &Run,
                                   const BuiltVariant &Author, ReferenceRun &Truth) {
  const KernelRun &Wanted = variedOf(Author, Truth);
  if (!Wanted.hasOutputs())
    return {};
  const KernelRun &Got = variedOf(Reference, Run);
  if (!Got.hasOutputs())
    return {};
  RunVerdict Found = compareWithTruth(Run.Problem->buffers(), Got, Wanted, Run.Open, toleranceOf(W));
  if (Found.Outcome != CheckOutcome::Wrong)
    return {};
  Found.Message += ", where other values are in the buffers that hold one alone";
  return Found;
}

/// Link (b): with the author's launch, and where this is that launch, or none is comparable, with stock
/// clang's code.
void CpuCheck::compareWithStandard(const BuiltVariant &Reference, const Variant &Choice,
                                   const Environment &Size, ReferenceRun &Run) {
  const LaunchChoice &Relation = Builder.choiceOf(Choice);
  const BuiltVariant *Author = Standards.Author();
  if (Relation.IsAuthors || !Relation.OwnResult.empty())
    return compareWithStock(Reference, Run);
  if (!Author || !Author->alive())
    return;
  std::shared_ptr<ReferenceRun> Truth = runOf(*Author, Variant(), Size);
  if (!Truth->hasOutputs()) {
    Run.Standard.Message = Truth->Note;
    return;
  }
  Run.Standard = compareWithTruth(Run.Problem->buffers(), Run, *Truth, Run.Open, toleranceOf(W));
  if (Run.Standard.Outcome == CheckOutcome::Tolerance)
    Run.Standard.add(compareMeasured(Reference, Run, *Author, *Truth));
  if (Run.Standard.Outcome != CheckOutcome::Wrong)
    Run.Standard.add(compareVaried(Reference, Run, *Author, *Truth));
  if (Run.Standard.Outcome == CheckOutcome::Wrong)
    Run.Standard.Message = formatv("with {0} the kernel computes another result than at the author's "
                                   "launch: {1}",
                                   Relation.Text, Run.Standard.Message);
}

void CpuCheck::compareWithStock(const BuiltVariant &Reference, ReferenceRun &Run) {
  const BuiltVariant *Stock = Standards.Stock(Reference);
  if (!Stock || !Stock->alive())
    return;
  std::shared_ptr<Program> P = programOf(*Stock);
  if (!P->Code)
    return;
  KernelRun OfStock;
  // Every floating-point buffer: the tolerance of a workload is for this comparison.
  std::vector<BufferFreedom> Open(Run.Open.size(), {"another compiler's code", "another compiler's code"});
  {
    std::lock_guard<std::mutex> Guard(P->Lock);
    runReference({*Run.Problem, *P->Code, Stock->Symbol, asWritten(authorLaunch(Run.Problem->launch())),
                  limited(ReferenceTimeLimit), /*Workers=*/0},
                 Open, toleranceOf(W), OfStock);
  }
  if (!OfStock.hasOutputs())
    return;
  RunVerdict Found = compareWithTruth(Run.Problem->buffers(), Run, OfStock, Open, toleranceOf(W));
  if (Found.Outcome != CheckOutcome::Wrong)
    return;
  Run.Standard = std::move(Found);
  Run.Standard.Message = "the prepared kernel differs from stock clang's: " + Run.Standard.Message;
}

} // namespace gpuprune
