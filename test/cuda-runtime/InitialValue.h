//===- InitialValue.h - Initial values of device variables as bytes -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_INITIALVALUE_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_INITIALVALUE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// The address of a variable; null if it has none.
using AddressOfVariable = llvm::function_ref<const char *(const llvm::GlobalVariable &)>;

/// Writes the constant \p Value to \p Out, which is zeroed and has its size. Refused error for an
/// address of anything but a variable that has one.
llvm::Error writeInitialValue(const llvm::Constant &Value, const llvm::DataLayout &Layout,
                              AddressOfVariable Address, char *Out);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_INITIALVALUE_H
