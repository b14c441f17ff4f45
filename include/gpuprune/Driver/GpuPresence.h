//===- GpuPresence.h - Whether there is a GPU to measure on -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_GPUPRESENCE_H
#define GPUPRUNE_DRIVER_GPUPRESENCE_H

#include "llvm/Support/Error.h"

namespace gpuprune {

/// For what is of no use without times, before anything is compiled. Runner error where the command \p Runner
/// finds no GPU: \p Why one is needed, and \p WhatToDo.
llvm::Error checkGpu(const std::string &Runner, llvm::StringRef Why, llvm::StringRef WhatToDo);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_GPUPRESENCE_H
