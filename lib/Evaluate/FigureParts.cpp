//===- FigureParts.cpp - What several figures need -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FigureParts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

const PassElement *findPass(const Variant &V, StringRef Name) {
  auto Found = find_if(V.Pipeline, [&](const PassElement &P) { return P.Name == Name; });
  return Found == V.Pipeline.end() ? nullptr : &*Found;
}

double numberOr(std::optional<StringRef> Text, double Otherwise) {
  double Value = 0;
  return Text && !Text->getAsDouble(Value) ? Value : Otherwise;
}

void ringBest(SvgDrawing &Drawing, PlotPoint At) { Drawing.ring(At, 8, BestColour); }

} // namespace gpuprune
