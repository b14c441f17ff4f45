//===- CpuTimes.h - Times of CPU versions ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_CPUTIMES_H
#define GPUPRUNE_EVALUATE_CPUTIMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace gpuprune {

/// What the applications of Ryoo et al. take on one CPU, at the sizes of their spaces.
struct CpuTimes {
  static constexpr llvm::StringLiteral File = "cpu-ryoo.csv"; ///< Beside the table of the variants.

  std::string Cpu, Flags; ///< The CPU's name, and the options of the compiler.
  unsigned Threads = 1;   ///< All that were used.
  /// By the name of the kernel and the number of threads, 1 and Threads, of all four.
  std::map<std::string, std::map<unsigned, double>, std::less<>> Ms;
};

/// Reads what test/benchmark/cpu-versions writes. Input error, with the line and what was expected, for what
/// is no such table: with other columns, applications, or sizes; of more than one CPU or set of flags; with
/// times that are missing or there twice.
llvm::Expected<CpuTimes> readCpuTimes(llvm::StringRef Text);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_CPUTIMES_H
