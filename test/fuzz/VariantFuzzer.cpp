//===- VariantFuzzer.cpp - Any text as a variant ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is taken prints as a text that reads as the same variant, and normalising
// twice is normalising once.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Search/Variant.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<Variant> V = parseVariant(asText(Data, Size));
  if (!V) {
    require(StringRef(refusal(V.takeError())).contains(", column "), "an error without a column");
    return 0;
  }
  for (int Normal = 0; Normal != 2; ++Normal) {
    std::string Printed = printVariant(*V);
    Expected<Variant> Again = parseVariant(Printed);
    require(bool(Again), "cannot read what was printed: " + Printed);
    require(*Again == *V, "another variant than was printed: " + Printed);
    normalise(V->Pipeline);
  }
  Variant Twice = *V;
  normalise(Twice.Pipeline);
  require(Twice == *V, "normalising twice differs: " + printVariant(Twice));
  return 0;
}
