//===- BundleFuzzer.cpp - Any text as a bundle and as its results -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Runtime/Bundle.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  Expected<Bundle> Plan = parseBundle(Text, "plan.jsonl");
  if (!Plan)
    require(StringRef(refusal(Plan.takeError())).starts_with("plan.jsonl:"), "an error without the file");
  else
    for (protocol::Job &J : Plan->Jobs) {
      resolveCubins(J, "/elsewhere");
      require(!errorToBool(protocol::validate(J)), "a job that is not valid was taken");
    }
  Expected<BundleResults> Results = parseResults(Text, "results.jsonl");
  if (!Results)
    require(StringRef(refusal(Results.takeError())).starts_with("results.jsonl:"),
            "an error without the file");
  return 0;
}
