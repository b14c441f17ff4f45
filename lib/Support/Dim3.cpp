//===- Dim3.cpp - A three-dimensional extent as text ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

std::optional<Dim3> Dim3::parse(StringRef Text, char Separator, int64_t Most) {
  SmallVector<StringRef, 4> Extents;
  Text.split(Extents, Separator);
  if (Extents.size() > size())
    return std::nullopt;
  Dim3 Result;
  for (unsigned D = 0; D != Extents.size(); ++D) {
    int64_t &Extent = Result[D];
    if (Extents[D].trim().getAsInteger(10, Extent) || Extent < 1 || Extent > Most)
      return std::nullopt;
  }
  return Result;
}

std::string Dim3::text(char Separator) const {
  return std::to_string(X) + Separator + std::to_string(Y) + Separator + std::to_string(Z);
}

} // namespace gpuprune
