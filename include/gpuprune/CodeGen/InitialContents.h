//===- InitialContents.h - What variables hold when code is loaded ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_INITIALCONTENTS_H
#define GPUPRUNE_CODEGEN_INITIALCONTENTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// The bytes of the __constant__ variables of \p Bitcode that have an initial value other than zeros and
/// without addresses, by symbol. Input error where it cannot be read.
llvm::Expected<llvm::StringMap<std::string>> initialConstants(llvm::StringRef Bitcode);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_INITIALCONTENTS_H
