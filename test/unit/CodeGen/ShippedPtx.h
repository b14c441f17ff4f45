//===- ShippedPtx.h - What clang++ makes with the plugin --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_CODEGEN_SHIPPEDPTX_H
#define GPUPRUNE_TEST_UNIT_CODEGEN_SHIPPEDPTX_H

#include "gpuprune/CodeGen/Toolchain.h"

namespace gpuprune {

/// The PTX of \p Frontend's source with \p Pipeline, the plugin's; without the plugin where that is null.
llvm::Expected<std::string> ptxOfClang(const Toolchain &Tools, const FrontendRequest &Frontend,
                                       const char *Pipeline);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_UNIT_CODEGEN_SHIPPEDPTX_H
