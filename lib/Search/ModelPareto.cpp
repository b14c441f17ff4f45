//===- ModelPareto.cpp - The Pareto set of two modelled times -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelPareto.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <tuple>

using namespace llvm;

namespace gpuprune {

static std::vector<size_t> modelledRows(ArrayRef<VariantResult> Rows, RowFilter Among) {
  std::vector<size_t> Result;
  for (const auto &[Index, Row] : enumerate(Rows))
    if (Row.canRun() && Row.mayWin() && Row.Modelled.Ms && Row.Modelled.QueuedMs && (!Among || Among(Index)))
      Result.push_back(Index);
  return Result;
}

std::vector<size_t> modelParetoSet(ArrayRef<VariantResult> Rows, RowFilter Among) {
  std::vector<size_t> Candidates = modelledRows(Rows, Among), Result;
  auto ByQueued = [&](size_t Row) {
    return std::tuple(*Rows[Row].Modelled.QueuedMs, *Rows[Row].Modelled.Ms, Row);
  };
  llvm::sort(Candidates, [&](size_t A, size_t B) { return ByQueued(A) < ByQueued(B); });
  double Fastest = std::numeric_limits<double>::infinity(); // Of those that are not slower if warps queue.
  for (size_t Row : Candidates) {
    Fastest = std::min(Fastest, *Rows[Row].Modelled.Ms);
    if (*Rows[Row].Modelled.Ms * (1 - ModelResolution) <= Fastest)
      Result.push_back(Row);
  }
  llvm::sort(Result, [&](size_t A, size_t B) {
    return std::pair(*Rows[A].Modelled.Ms, A) < std::pair(*Rows[B].Modelled.Ms, B);
  });
  return Result;
}

namespace {

class ModelParetoStrategy : public Strategy {
public:
  std::string whyDone() const override { return Why; }

private:
  std::string Why;

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    std::vector<size_t> Set = modelParetoSet(Rows, Among);
    Why = Set.empty() ? "no variant that is right has a modelled time"
                      : formatv("{0} of {1} variants are on the Pareto set of both modelled times",
                                Set.size(), modelledRows(Rows, Among).size())
                            .str();
    return Set;
  }
};

} // namespace

std::unique_ptr<Strategy> makeModelParetoStrategy() { return std::make_unique<ModelParetoStrategy>(); }

} // namespace gpuprune
