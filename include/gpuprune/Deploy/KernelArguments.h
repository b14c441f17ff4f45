//===- KernelArguments.h - What a record says of a kernel's parameters ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_KERNELARGUMENTS_H
#define GPUPRUNE_DEPLOY_KERNELARGUMENTS_H

#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/Deploy/TuningRecord.h"

namespace gpuprune {

/// Of the author's kernel with these parameters; pointers in structures are among them.
KernelArguments kernelArguments(llvm::ArrayRef<KernelParameter> Parameters);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_KERNELARGUMENTS_H
