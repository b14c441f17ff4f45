//===- RowJson.h - Rows of a report as JSON -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_ROWJSON_H
#define GPUPRUNE_LIB_REPORT_ROWJSON_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuprune {

/// \p Rows: the table, which has the twin of \p Row.
llvm::json::Object rowToJSON(const VariantResult &Row, llvm::ArrayRef<VariantResult> Rows);

/// All but the variant and the place of a twin: see readTexts().
bool fromJSON(const llvm::json::Value &Value, VariantResult &Row, llvm::json::Path Path);

/// A row that fromJSON() has read, and what from.
struct ReadRow {
  const llvm::json::Object &Written;
  VariantResult &Row;
};

/// Reads the texts of \p Rows: what variants they are, and of which one in \p Table they are twins. Input
/// error for a text that is no variant's, and for the twin of none.
llvm::Error readTexts(llvm::ArrayRef<ReadRow> Rows, llvm::ArrayRef<VariantResult> Table);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_ROWJSON_H
