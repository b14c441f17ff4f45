//===- Phase.cpp - The phases of a tuning run -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Phase.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"

using namespace llvm;

namespace gpuprune {

/// In the order of the enumeration.
static constexpr StringRef PhaseNames[] = {"frontend", "prepare",  "enumerate", "transform",
                                           "codegen",  "assemble", "count",     "prune",
                                           "check",    "measure",  "report"};

StringRef phaseName(Phase P) { return PhaseNames[static_cast<size_t>(P)]; }

Expected<Phase> parsePhase(StringRef Name) {
  for (size_t I = 0; I < std::size(PhaseNames); ++I)
    if (PhaseNames[I] == Name)
      return static_cast<Phase>(I);
  return makeError(ErrorKind::Usage, "no phase is called '" + Name + "'" + nearestNameHint(Name, PhaseNames));
}

} // namespace gpuprune
