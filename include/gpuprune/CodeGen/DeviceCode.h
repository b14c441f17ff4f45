//===- DeviceCode.h - Device code from any kind of file ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_DEVICECODE_H
#define GPUPRUNE_CODEGEN_DEVICECODE_H

#include "gpuprune/CodeGen/Toolchain.h"

namespace gpuprune {

/// The bitcode of a CUDA source (.cu, compiled for \p Arch), a bitcode file (.bc)
/// or LLVM IR as text (.ll). Errors: Usage for another ending, Io, Frontend, and
/// Input, for text with line and column, for IR that does not parse, is broken or
/// was compiled for a later device. \p Warnings receives what clang++ warns of.
llvm::Expected<std::string> readDeviceCode(const Toolchain &Tools, llvm::StringRef Path, llvm::StringRef Arch,
                                           std::vector<std::string> *Warnings = nullptr);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_DEVICECODE_H
