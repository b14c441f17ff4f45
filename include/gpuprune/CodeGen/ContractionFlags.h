//===- ContractionFlags.h - The -ffp-contract that bitcode was made with -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the code generator may fuse is an option of the compile, not of the
// bitcode. What clang++ wrote still tells: under -ffp-contract=fast, the default
// of CUDA, it marks all floating-point operations of the source 'contract', under
// the others none. Code of libdevice is marked under neither.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_CONTRACTIONFLAGS_H
#define GPUPRUNE_CODEGEN_CONTRACTIONFLAGS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// {"-ffp-contract=on"} if operations of the file that \p Bitcode is of could be fused and none is marked so,
/// else nothing. Input error where it cannot be read.
llvm::Expected<std::vector<std::string>> contractionFlags(llvm::StringRef Bitcode);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_CONTRACTIONFLAGS_H
