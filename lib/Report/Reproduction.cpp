//===- Reproduction.cpp - Whether a recorded launch is what is replayed ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/Reproduction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::optional<bool> isReproduced(ArrayRef<Reproduction> Each) {
  if (Each.empty() || any_of(Each, [](const Reproduction &R) { return !R.isKnown(); }))
    return std::nullopt;
  return all_of(Each, [](const Reproduction &R) { return R.isSame(); });
}

std::string reproductionText(ArrayRef<Reproduction> Each) {
  if (!isReproduced(Each))
    return "";
  std::vector<std::string> Others;
  for (const Reproduction &R : Each)
    if (!R.isSame())
      Others.push_back(R.Buffer);
  return formatv("{0} of {1} recorded contents reproduced{2}", Each.size() - Others.size(), Each.size(),
                 Others.empty() ? "" : ", not: " + join(Others, ", "));
}

void addExpected(ArrayRef<Reproduction> Each, protocol::Problem &Problem) {
  for (const auto &[Index, B] : enumerate(Problem.Buffers)) {
    auto IsAsked = [&Name = B.Name](const Reproduction &R) { return R.Buffer == Name && !R.isKnown(); };
    if (const auto *Asked = find_if(Each, IsAsked); B.isOutput() && Asked != Each.end())
      Problem.Expected.push_back({uint32_t(Index), Asked->Recorded, ""});
  }
}

void joinReproduction(MutableArrayRef<Reproduction> Each, const protocol::Result &Result) {
  for (const protocol::ProblemCheck &Check : Result.Checks)
    for (const protocol::Output &Said : Check.Outputs)
      for (Reproduction &R : Each)
        if (R.Buffer == Said.Buffer)
          R.Found = Said.Hash;
}

json::Value toJSON(const Reproduction &R) {
  return json::Object{{"buffer", R.Buffer}, {"recorded", R.Recorded}, {"found", R.Found}};
}

bool fromJSON(const json::Value &Value, Reproduction &R, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("buffer", R.Buffer) && Map.map("recorded", R.Recorded) && Map.map("found", R.Found);
}

} // namespace gpuprune
