//===- Passes.cpp - gpuprune passes -----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuprune {

static StringRef meaningName(OptionMeaning Meaning) {
  switch (Meaning) {
  case OptionMeaning::Object:
    return "object";
  case OptionMeaning::Factor:
    return "factor";
  case OptionMeaning::Manner:
    return "manner";
  }
  llvm_unreachable("no such meaning");
}

static json::Value toJSON(const PassDescription &Pass) {
  json::Array Options;
  for (const OptionForm &Form : Pass.Options)
    Options.push_back(json::Object{{"key", Form.Key},
                                   {"values", Form.isWord() ? json::Value(nullptr) : Form.Values},
                                   {"meaning", meaningName(Form.Meaning)},
                                   {"required", Form.Required}});
  return json::Object{{"name", Pass.Name}, {"effect", Pass.Effect}, {"options", std::move(Options)}};
}

static void printPass(raw_ostream &OS, const PassDescription &Pass) {
  OS << Pass.Name;
  if (!Pass.Options.empty())
    OS << '<' << optionsText(Pass.Options, ";") << '>';
  OS << "\n    " << Pass.Effect << '\n';
}

Error printPasses(bool AsJson, raw_ostream &OS) {
  json::Array All;
  for (const PassDescription *Pass : passDescriptions())
    if (AsJson)
      All.push_back(toJSON(*Pass));
    else
      printPass(OS, *Pass);
  if (AsJson)
    OS << formatv("{0:2}\n", json::Value(std::move(All)));
  return Error::success();
}

} // namespace gpuprune
