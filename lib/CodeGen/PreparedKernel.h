//===- PreparedKernel.h - Questions to a kernel as gpu-prepare leaves it ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_PREPAREDKERNEL_H
#define GPUPRUNE_LIB_CODEGEN_PREPAREDKERNEL_H

#include "Compilation.h"

namespace gpuprune {

/// What \p Ask finds in \p Kernel of \p Bitcode, as the front end left it, once its module is prepared.
template <typename AskT>
auto askPreparedKernel(llvm::StringRef Bitcode, llvm::StringRef Kernel, AskT Ask)
    -> llvm::Expected<decltype(Ask(std::declval<llvm::Function &>()))> {
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Kernel = Kernel.str();
  Compilation C(Request);
  if (llvm::Error E = C.load())
    return std::move(E);
  llvm::Expected<llvm::Function *> Prepared = C.preparedKernel();
  if (!Prepared)
    return Prepared.takeError();
  return Ask(**Prepared);
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_PREPAREDKERNEL_H
