//===- BundleFuzzer.cpp - Any text as a bundle and as its results -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is the text of plan.jsonl, a line with "----", and the text of the
// results. The final rounds that they lead to have jobs that are valid.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Runtime/FinalRounds.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;
using namespace gpuprune::protocol;

/// Plays the final as gpuprune-runner does, with \p Results as all the answers.
static void playFinal(const Bundle &Plan, ArrayRef<Result> Results) {
  FinalPlan Asked;
  Asked.Rounds = 0; // A bundle without a final has none.
  json::Path::Root Root("final");
  const json::Value *Written = Plan.Header.get("final");
  if (Written && !fromJSON(*Written, Asked, Root)) {
    consumeError(Root.getError());
    return;
  }
  FinalRounds Final(Asked);
  for (const Job &J : Plan.Jobs)
    Final.add(J);
  for (const Result &R : Results)
    Final.note(R);
  for (size_t Round = 0; Round <= Plan.Jobs.size(); ++Round) {
    std::optional<Job> J = Final.next();
    if (!J)
      return;
    if (Error E = validate(*J))
      require(false, "the final's job is not valid: " + toString(std::move(E)));
    Result Answer = Results.empty() ? Result() : Results[Round % Results.size()];
    Answer.Id = J->Id;
    Final.settle(Answer);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto [PlanText, Lines] = asText(Data, Size).split("\n----\n");
  Expected<Bundle> Plan = parseBundle(PlanText, "plan.jsonl");
  if (!Plan) {
    require(StringRef(refusal(Plan.takeError())).starts_with("plan.jsonl:"), "an error without the file");
    Plan = Bundle();
  }
  Expected<BundleResults> Results = parseResults(Lines, "results.jsonl");
  if (!Results) {
    require(StringRef(refusal(Results.takeError())).starts_with("results.jsonl:"),
            "an error without the file");
    Results = BundleResults();
  }
  playFinal(*Plan, Results->Results);
  for (Job &J : Plan->Jobs) {
    resolveFiles(J, "/elsewhere");
    require(!errorToBool(validate(J)), "a job that is not valid was taken");
  }
  return 0;
}
