//===- ProgramNames.cpp - Tells programs apart by a short name ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Programs mostly differ in their last launch.
static bool areEqual(const Program &A, const Program &B) {
  if (A.Launches.size() != B.Launches.size() || A.Untimed != B.Untimed)
    return false;
  return A.Launches.empty() || (A.Launches.back() == B.Launches.back() && A == B);
}

std::string ProgramNames::nameOf(const Program &P) {
  auto Found = find_if(Known, [&](const Named &Each) { return areEqual(Each.Program, P); });
  Named First;
  if (Found != Known.end()) {
    First = std::move(*Found);
    Known.erase(Found);
  } else {
    First = {P, Next++};
    Launches += P.Launches.size();
  }
  std::string Name = "program " + std::to_string(First.Number);
  Known.push_front(std::move(First));
  while (Launches > MostLaunches && Known.size() > 1) {
    Launches -= Known.back().Program.Launches.size();
    Known.pop_back();
  }
  return Name;
}

} // namespace gpuprune
