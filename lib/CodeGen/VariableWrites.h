//===- VariableWrites.h - Whether code may write a variable -----*- C++ -*-===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_VARIABLEWRITES_H
#define GPUPRUNE_LIB_CODEGEN_VARIABLEWRITES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace gpuprune {

/// Whether a function that \p Counts may write \p V, or lets its address go where that cannot be seen. Local
/// variables that hold an address alone have been promoted to values.
bool mayBeWritten(const llvm::GlobalVariable &V, llvm::function_ref<bool(const llvm::Function &)> Counts);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_VARIABLEWRITES_H
