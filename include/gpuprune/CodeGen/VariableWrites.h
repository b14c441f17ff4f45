//===- VariableWrites.h - Whether code may write a variable ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_VARIABLEWRITES_H
#define GPUPRUNE_CODEGEN_VARIABLEWRITES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace gpuprune {

/// Whether a function that \p Counts may write \p V, or lets its address go where that cannot be seen. Where
/// local variables that hold addresses have been promoted to values, fewer variables may be.
bool mayBeWritten(const llvm::GlobalVariable &V, llvm::function_ref<bool(const llvm::Function &)> Counts);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_VARIABLEWRITES_H
