//===- PrintSpace.cpp - A space as workload files write it ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Space.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// "[32, 8, 1]" of "block=32,8,1"; "author" as it stands.
static std::string blockText(StringRef Value) {
  if (!Value.consume_front("block="))
    return Value.str();
  SmallVector<StringRef, 3> Extents;
  Value.split(Extents, ',');
  return "[" + join(Extents, ", ") + "]";
}

void printYaml(raw_ostream &OS, const Space &Printed) {
  OS << "space:\n";
  if (std::string Pipeline = Printed.pipeline(); !Pipeline.empty())
    OS << "  pipeline: \"" << Pipeline << "\"\n";
  bool InParameters = false;
  for (const std::unique_ptr<Dimension> &D : Printed.dimensions()) {
    if (D->kind() == DimensionKind::Block)
      OS << "  blocks: [" << join(map_range(D->values(), blockText), ", ") << "]\n";
    if (D->kind() != DimensionKind::Parameter)
      continue;
    if (!std::exchange(InParameters, true))
      OS << "  parameters:\n";
    OS << "    " << D->name() << ": [" << join(D->values(), ", ") << "]\n";
  }
  if (!Printed.constraints().empty())
    OS << "  constraints:\n";
  for (const Expression &Constraint : Printed.constraints())
    OS << "    - \"" << Constraint.text() << "\"\n";
}

} // namespace gpuprune
