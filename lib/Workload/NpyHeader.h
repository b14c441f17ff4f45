//===- NpyHeader.h - What a file of NumPy holds ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_NPYHEADER_H
#define GPUPRUNE_LIB_WORKLOAD_NPYHEADER_H

#include "gpuprune/Support/ElementType.h"

namespace gpuprune {

/// How a file of NumPy's begins.
inline constexpr llvm::StringLiteral NpyMagic = "\x93NUMPY";

/// Where in \p Content, the whole of a .npy file (numpy.lib.format, versions 1.0 to 3.0), the elements begin,
/// which are of \p Type and lie in C order. Error (kind Input, without the file's name): it is none, of
/// another type, in Fortran's order, or not as long as its shape says.
llvm::Expected<uint64_t> npyElements(llvm::StringRef Content, ElementType Type);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_NPYHEADER_H
