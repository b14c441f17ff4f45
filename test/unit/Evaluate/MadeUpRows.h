//===- MadeUpRows.h - Measured variants with simple figures --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPROWS_H
#define GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPROWS_H

#include "ExpectedTesting.h"
#include "gpuprune/Evaluate/RyooSpace.h"

namespace gpuprune::test {

/// 64 blocks of 64 threads, two of which are resident on an SM.
inline VariantResult measured(llvm::StringRef Text, double Instr, double Regions, double Ms) {
  VariantResult Row;
  Row.Parts = valueOf(parseVariant(Text));
  Row.Launch.Grid = {64, 1, 1};
  Row.Launch.Block = {64, 1, 1};
  Row.BlocksPerSM = 2;
  Row.Instr = Instr;
  Row.Regions = Regions;
  Row.Efficiency = 1 / (Instr * 64 * 64);
  Row.Utilization = Instr / Regions * 2.5;
  Row.OnGpu.Outcome = CheckOutcome::Bitwise;
  Row.OnGpu.MedianMs = Ms;
  return Row;
}

inline const RyooApplication &application(llvm::StringRef Kernel) {
  for (const RyooApplication &A : ryooApplications())
    if (A.Kernel == Kernel)
      return A;
  ADD_FAILURE() << Kernel.str();
  return ryooApplications().front();
}

inline RyooSpace spaceOf(llvm::StringRef Kernel, std::vector<VariantResult> Rows) {
  return valueOf(
      evaluateSpace(application(Kernel), {Kernel.str(), measured("", 100, 10, 50), std::move(Rows)}));
}

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPROWS_H
