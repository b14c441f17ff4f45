//===- KernelNames.h - Kernels by the names that the source gives them ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is named by its symbol or as a launch in the source names it:
//
//   ax   ax<2>   my::kernel   ::kernel   ns::k<float, 4>   (anonymous namespace)::k
//
// White space does not count. Enclosing namespaces may be left out from the outermost
// on, a leading :: means that there are none. Without template arguments every instance
// of a template has the name. Integer arguments match without their suffix (4, not 4u)
// and integer types by any of their spellings (unsigned, unsigned int).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_KERNELNAMES_H
#define GPUPRUNE_TRANSFORMS_KERNELNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuprune {

/// The name that the function with symbol \p Symbol has in the source, with namespaces and
/// template arguments, "ns::k<float, 4>"; the symbol itself where it is not a C++ one.
std::string kernelFullName(llvm::StringRef Symbol);

/// Whether the kernel with symbol \p Symbol goes by \p Name.
bool isKernelNamed(llvm::StringRef Symbol, llvm::StringRef Name);

/// For each of \p Symbols a name that none of the others goes by, for messages that ask to
/// write one: the full name, with a leading :: where that tells it apart, else the symbol.
std::vector<std::string> distinctKernelNames(llvm::ArrayRef<std::string> Symbols);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_KERNELNAMES_H
