//===- CrashGuard.h - LLVM giving up is an error ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_CRASHGUARD_H
#define GPUPRUNE_CODEGEN_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// Runs \p Work on IR from a file. Damaged IR can get past LLVM's reader and verifier and end
/// the program deep inside; here that is an Input error that names \p File. What
/// \p Work held is then lost, so nothing but reporting the error should follow.
llvm::Error runOnForeignIR(llvm::StringRef File, llvm::function_ref<llvm::Error()> Work);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_CRASHGUARD_H
