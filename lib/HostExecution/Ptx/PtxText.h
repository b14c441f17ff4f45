//===- PtxText.h - The text of inline PTX, taken apart -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_PTXTEXT_H
#define GPUPRUNE_LIB_HOSTEXECUTION_PTXTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuprune {

/// A statement such as "@!p ld.global.v2.f32 {a, b}, [$1 + 8];".
struct PtxStatement {
  std::string Text;                  ///< As written, for messages.
  std::string Predicate;             ///< "!p"; empty where there is none.
  std::string Opcode;                ///< "ld.global.v2.f32", or ".reg.u32" of a declaration.
  std::vector<std::string> Operands; ///< "{a, b}", "[$1 + 8]".
};

/// The statements of \p Text, comments and scopes left out.
std::vector<PtxStatement> parsePtx(llvm::StringRef Text);

/// \p List at its commas, but for those within braces and brackets; trimmed.
llvm::SmallVector<llvm::StringRef, 4> splitPtxOperands(llvm::StringRef List);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_PTXTEXT_H
