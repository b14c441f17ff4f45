//===- MadeUpSettings.h - Registers and blocks with simple figures -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPSETTINGS_H
#define GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPSETTINGS_H

#include "MadeUpRows.h"
#include "gpuprune/Evaluate/LiangReport.h"

namespace gpuprune::test {

/// 4096 threads in blocks of \p Threads.
inline VariantResult setting(unsigned Threads, unsigned Registers, double Occupancy, double Cycles,
                             double Ms) {
  VariantResult Row = measured(
      ("block=" + llvm::Twine(Threads) + ",1,1 gpu-registers<max=" + llvm::Twine(Registers) + ">").str(), 100,
      10, Ms);
  Row.Launch.Block = {Threads, 1, 1};
  Row.Launch.Grid = {4096 / Threads, 1, 1};
  Row.Registers = Registers;
  Row.Occupancy = Occupancy;
  Row.Scheduled.Cycles = Cycles;
  return Row;
}

/// RO is highest in the first, which is the slowest. PO keeps all but the last, POSF the second and the
/// third, of which the third is the optimum with 2 ms; the default takes 4 ms.
inline RecordedKernel settings(llvm::StringRef Kernel) {
  return {Kernel.str(),
          measured("", 100, 10, 4),
          {setting(64, 40, 1, 900, 5), setting(64, 64, 0.5, 700, 3), setting(128, 72, 0.375, 600, 2),
           setting(128, 128, 0.25, 500, 2.5), setting(64, 120, 0.25, 800, 4.5)}};
}

/// The six applications, each one launch, but for the last, which has two.
inline std::vector<RecordedKernel> sixApplications() {
  std::vector<RecordedKernel> Table;
  for (const LiangApplication &A : llvm::drop_end(liangApplications()))
    Table.push_back(settings(A.Kernel));
  std::string Last = liangApplications().back().Kernel.str();
  Table.push_back(settings(Last + "@1"));
  Table.push_back(settings(Last + "@2x10"));
  return Table;
}

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_EVALUATE_MADEUPSETTINGS_H
