//===- ResultJoin.h - Runner results into a report --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_RESULTJOIN_H
#define GPUPRUNE_LIB_DRIVER_RESULTJOIN_H

#include "gpuprune/Driver/TuneReport.h"
#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

/// Job identifiers: "variant:12" is row 12, "stock" the stock kernel and
/// "reference:DEFINES" a prepared kernel that is only checked.
std::string variantJobId(size_t Row);
std::string referenceJobId(llvm::StringRef Defines);
extern const char *const StockJobId;

/// Writes \p Result into the row its job is about. A reference that is wrong
/// makes the rows with its defines wrong.
void joinResult(TuneReport &Report, const protocol::Result &Result);

/// Gives duplicates their twins' figures; once all results are joined.
void copyTwins(TuneReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_RESULTJOIN_H
