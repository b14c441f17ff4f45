//===- NearestName.h - "did you mean ...?" --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_NEARESTNAME_H
#define GPUPRUNE_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuprune {

/// The tail of an error about the unknown name \p Given: "; did you mean
/// 'tile'? (known: n, tile)", without the question where nothing is near and
/// empty where nothing is known.
inline std::string nearestNameHint(llvm::StringRef Given, llvm::ArrayRef<llvm::StringRef> Known) {
  if (Known.empty())
    return "";
  llvm::StringRef Best;
  unsigned BestDistance = Given.size() / 3 + 2;
  std::string List;
  for (llvm::StringRef Name : Known) {
    List += List.empty() ? "" : ", ";
    List += Name;
    unsigned Distance = Given.edit_distance_insensitive(Name, /*AllowReplacements=*/true, BestDistance);
    if (Distance >= BestDistance)
      continue;
    Best = Name;
    BestDistance = Distance;
  }
  std::string Hint = Best.empty() ? "" : "; did you mean '" + Best.str() + "'?";
  return Hint + (Best.empty() ? "; known: " + List : " (known: " + List + ")");
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_NEARESTNAME_H
