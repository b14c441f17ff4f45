//===- ForeignJson.h - JSON that others may have written ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_FOREIGNJSON_H
#define GPUPRUNE_SUPPORT_FOREIGNJSON_H

#include "llvm/Support/JSON.h"

namespace gpuprune {

/// \p Text as JSON, refusing what would exhaust the parser's stack. In place of llvm::json::parse wherever
/// the text comes from a file or from another process. Error: Input.
llvm::Expected<llvm::json::Value> parseForeignJson(llvm::StringRef Text);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_FOREIGNJSON_H
