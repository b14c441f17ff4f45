//===- TunerLimits.cpp - The final rounds and the budget of a run ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

void Tuner::take(const protocol::Result &Result) {
  cantFail(joinResult(Report, Result)); // The ids are this report's.
  Final.note(Result);
}

/// Times the fastest again, together. One that fails now is marked, and the rest run again.
Error Tuner::runFinal(RunnerClient &Client) {
  while (std::optional<protocol::Job> Job = Final.next()) {
    resolveCubins(*Job, CubinHome->path());
    Shown.begin("final", 1);
    bool Answered = false;
    Error Failure = Client.run(*Job, [&](const protocol::Result &Result) {
      Answered = true;
      take(Final.settle(Result));
      Shown.step();
    });
    Shown.end();
    if (Failure)
      return Failure;
    if (Answered)
      continue;
    Report.Final.Problem = "the budget was used up";
    break;
  }
  return Error::success();
}

bool Tuner::isReference(const BuiltVariant &V) const {
  return &V >= References.data() && &V < References.data() + References.size();
}

void Tuner::skip(BuiltVariant &V) const {
  V.Row.Status = VariantStatus::Skipped;
  V.Row.Message = formatv("not compiled: the budget of {0} s left no time for it", Limit->seconds());
}

/// Says what the budget left out.
void Tuner::noteBudget() {
  size_t Skipped =
      count_if(Variants, [](const BuiltVariant &V) { return V.Row.Status == VariantStatus::Skipped; });
  std::vector<std::string> Parts;
  if (Skipped)
    Parts.push_back(formatv("{0} of {1} variants were not compiled", Skipped, Variants.size()));
  if (NotRun)
    Parts.push_back(formatv("{0} jobs were not measured", NotRun));
  if (!Parts.empty())
    Report.BudgetNote = formatv("the budget of {0} s was used up: {1}", Limit->seconds(), join(Parts, ", "));
}

} // namespace gpuprune
