//===- Kernels.h - Which functions of a module a pass works on --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_KERNELS_H
#define GPUPRUNE_TRANSFORMS_KERNELS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprune {

/// Whether \p M is device code for NVIDIA GPUs; nothing else is ever touched.
bool isDeviceModule(const llvm::Module &M);

/// Whether \p F is a kernel with a body.
bool isKernel(const llvm::Function &F);

/// The unqualified name that the function with symbol \p Symbol has in the source;
/// the symbol itself where it is not a C++ one.
std::string kernelSourceName(llvm::StringRef Symbol);

/// Whether \p F goes by \p Name, either its symbol or, for a C++ kernel, a name that the
/// source gives it (KernelNames.h).
bool hasKernelName(const llvm::Function &F, llvm::StringRef Name);

/// The kernels of \p M called \p Name; all its kernels where \p Name is empty.
llvm::SmallVector<llvm::Function *, 4> selectKernels(llvm::Module &M, llvm::StringRef Name);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_KERNELS_H
