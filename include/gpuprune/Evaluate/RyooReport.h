//===- RyooReport.h - Section 5 of Ryoo et al., paper and ours -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_RYOOREPORT_H
#define GPUPRUNE_EVALUATE_RYOOREPORT_H

#include "gpuprune/Evaluate/CpuTimes.h"
#include "gpuprune/Evaluate/GeneratedFile.h"
#include "gpuprune/Evaluate/RyooSpace.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <vector>

namespace gpuprune {

/// The four applications, in the order of the paper. Input error where \p Table lacks one.
llvm::Expected<std::vector<RyooSpace>> evaluateRyoo(llvm::ArrayRef<RecordedKernel> Table);

/// The tables, for a terminal. Without \p Cpu Table 3 says that it was not measured.
void printRyoo(llvm::raw_ostream &OS, llvm::ArrayRef<RyooSpace> Spaces, const std::optional<CpuTimes> &Cpu);

/// The same as a page in Markdown, ryoo.md, which comes first, and the figures that it shows. \p DataFile is
/// named as what it was made of.
std::vector<GeneratedFile> ryooPage(llvm::ArrayRef<RyooSpace> Spaces, const std::optional<CpuTimes> &Cpu,
                                    llvm::StringRef DataFile);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_RYOOREPORT_H
