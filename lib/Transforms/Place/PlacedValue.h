//===- PlacedValue.h - How a value is named to people -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PLACEDVALUE_H
#define GPUPRUNE_LIB_TRANSFORMS_PLACEDVALUE_H

#include <string>

namespace llvm {
class Instruction;
}

namespace gpuprune {

/// "pointer of line 12, 2 words"
std::string nameOfValue(const llvm::Instruction &V);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PLACEDVALUE_H
