//===- PtxLines.h - The statements of a kernel in PTX -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_PTXLINES_H
#define GPUPRUNE_MACHINECODE_PTXLINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace gpuprune {

/// A label, or an instruction or directive; parts of the text that it was read from.
struct PtxLine {
  llvm::StringRef Label;    ///< Then all else is empty.
  llvm::StringRef Guard;    ///< "!%p1"; empty where there is none.
  llvm::StringRef Mnemonic; ///< "ld.global.v2.b32", or ".reg" of a directive.
  llvm::StringRef Operands; ///< "{%r1, %r2}, [%rd1+8]".

  bool isInstruction() const { return Label.empty() && !Mnemonic.starts_with("."); }
};

/// Of \p Kernel in PTX as LLVM writes it, without comments. Blocks that only a comment names have a label
/// that begins with UnnamedPtxLabel. CodeGen error where there is no such kernel.
llvm::Expected<std::string> ptxBody(llvm::StringRef Ptx, llvm::StringRef Kernel);

inline constexpr llvm::StringLiteral UnnamedPtxLabel = "%bb_";

/// Takes what comes first from \p Rest, a body or a part of one.
std::optional<PtxLine> nextPtxLine(llvm::StringRef &Rest);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_PTXLINES_H
