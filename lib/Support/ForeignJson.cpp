//===- ForeignJson.cpp - JSON that others may have written ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// llvm::json's parser recurses once a nesting level, and so does every fromJSON.
static constexpr unsigned MaxNesting = 64;

static bool nestsTooDeeply(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (InString && C == '\\' && I + 1 != Text.size())
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (!InString && (C == '[' || C == '{') && ++Depth > MaxNesting)
      return true;
    else if (!InString && (C == ']' || C == '}') && Depth != 0)
      --Depth;
  }
  return false;
}

Expected<json::Value> parseForeignJson(StringRef Text) {
  if (nestsTooDeeply(Text))
    return makeError(ErrorKind::Input, formatv("JSON nested deeper than {0} levels", MaxNesting));
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return makeError(ErrorKind::Input, "not JSON: " + toString(Parsed.takeError()));
  return Parsed;
}

} // namespace gpuprune
