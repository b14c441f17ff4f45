//===- FigureParts.h - What several figures need -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_EVALUATE_FIGUREPARTS_H
#define GPUPRUNE_LIB_EVALUATE_FIGUREPARTS_H

#include "gpuprune/Evaluate/RyooFigures.h"

namespace gpuprune {

inline constexpr llvm::StringLiteral DotColour = "#888888", ParetoColour = "#cc3333", BestColour = "#0066cc";

/// The first pass of this name; null where there is none.
const PassElement *findPass(const Variant &V, llvm::StringRef Name);

/// \p Text as a number.
double numberOr(std::optional<llvm::StringRef> Text, double Otherwise);

/// Marks the optimum.
void ringBest(SvgDrawing &Drawing, PlotPoint At);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_EVALUATE_FIGUREPARTS_H
