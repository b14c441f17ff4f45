//===- ReadDevice.h - Questions to a device module --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_READDEVICE_H
#define GPUPRUNE_LIB_CODEGEN_READDEVICE_H

#include "gpuprune/CodeGen/DeviceVariables.h"
#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace gpuprune {

/// Input error where \p Bitcode cannot be read.
llvm::Expected<std::unique_ptr<llvm::Module>> readDeviceBitcode(llvm::StringRef Bitcode,
                                                                llvm::LLVMContext &Context);

/// The kernel of \p M that goes by \p Name; Input error where there is not exactly one.
llvm::Expected<llvm::Function *> onlyKernel(llvm::Module &M, llvm::StringRef Name);

/// What the front end wrote on all functions alike.
llvm::StringRef targetAttribute(const llvm::Module &M, llvm::StringRef Name);

std::vector<KernelParameter> parametersOf(const llvm::Function &Kernel);

/// The __device__ and __constant__ variables of the module of \p Kernel.
std::vector<DeviceVariable> variablesFor(llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_READDEVICE_H
