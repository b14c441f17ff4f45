//===- FillProtocol.h - Fills as JSON ---------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_FILLPROTOCOL_H
#define GPUPRUNE_LIB_RUNTIME_FILLPROTOCOL_H

#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune::protocol {

llvm::json::Value toJSON(const Fill &F);
bool fromJSON(const llvm::json::Value &V, Fill &Out, llvm::json::Path P);

} // namespace gpuprune::protocol

#endif // GPUPRUNE_LIB_RUNTIME_FILLPROTOCOL_H
