//===- LiangReport.h - Section V of Liang et al., paper and ours ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_LIANGREPORT_H
#define GPUPRUNE_EVALUATE_LIANGREPORT_H

#include "gpuprune/Evaluate/GeneratedFile.h"
#include "gpuprune/Evaluate/LiangSpace.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuprune {

/// The six applications, in the order of the paper. Input error where \p Table lacks one.
llvm::Expected<std::vector<LiangSpace>> evaluateLiang(llvm::ArrayRef<RecordedKernel> Table);

/// The tables, for a terminal.
void printLiang(llvm::raw_ostream &OS, llvm::ArrayRef<LiangSpace> Spaces);

/// The same as a page in Markdown, liang.md, which comes first, and the figures that it shows. \p DataFile is
/// named as what it was made of.
std::vector<GeneratedFile> liangPage(llvm::ArrayRef<LiangSpace> Spaces, llvm::StringRef DataFile);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_LIANGREPORT_H
