//===- PipelineFuzzer.cpp - Any text as a pipeline of passes ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text goes the way of -gpuprune-pipeline, and to the options of each pass.
// What is taken prints as a text that reads as the same.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/Memory.h"
#include "gpuprune/Transforms/Prefetch.h"
#include "gpuprune/Transforms/Registers.h"
#include "gpuprune/Transforms/Unroll.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

template <typename Options> static std::string printed(const Options &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  O.print(OS);
  return Text;
}

template <typename Options> static void parseOptions(StringRef Text) {
  Expected<Options> Read = Options::parse(Text);
  if (!Read) {
    refusal(Read.takeError());
    return;
  }
  std::string Printed = printed(*Read);
  Expected<Options> Again = Options::parse(Printed);
  require(bool(Again), "cannot read the options that were printed: " + Printed);
  require(printed(*Again) == Printed, "other options than were printed: " + Printed);
}

/// Whether a pass of LLVM's own is named: its parser is not ours to test.
static bool namesOwnPassesOnly(ArrayRef<PassMention> Passes) {
  return all_of(Passes, [](const PassMention &P) { return P.Name.starts_with("gpu-"); });
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  parseOptions<BlockCoarsenOptions>(Text);
  parseOptions<UnrollOptions>(Text);
  parseOptions<PrefetchOptions>(Text);
  parseOptions<MemoryOptions>(Text);
  parseOptions<RegistersOptions>(Text);
  Expected<bool> Changes = changesGeometry(Text);
  if (!Changes)
    refusal(Changes.takeError());
  Expected<SmallVector<PassMention, 4>> Passes = passesNamedIn(Text);
  if (!Passes) {
    refusal(Passes.takeError());
    return 0;
  }
  for (const PassMention &P : *Passes) {
    require(P.Name.begin() >= Text.begin() && P.Name.end() <= Text.end(), "a name that is not in the text");
    parseOptions<BlockCoarsenOptions>(P.Options);
    parseOptions<UnrollOptions>(P.Options);
    parseOptions<PrefetchOptions>(P.Options);
    parseOptions<MemoryOptions>(P.Options);
    parseOptions<RegistersOptions>(P.Options);
  }
  if (namesOwnPassesOnly(*Passes))
    if (Error E = checkPipeline(Text))
      refusal(std::move(E));
  return 0;
}
