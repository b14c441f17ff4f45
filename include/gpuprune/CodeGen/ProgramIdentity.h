//===- ProgramIdentity.h - Which build of this program runs -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_PROGRAMIDENTITY_H
#define GPUPRUNE_CODEGEN_PROGRAMIDENTITY_H

#include <string>

namespace gpuprune {

/// The same for two processes that run the same code on the same model of CPU: a hash over the program and
/// all shared libraries and pass plugins that are loaded now, each by the build ID that its linker wrote, or
/// by its content where it has none, and over the CPU's name and features. Empty where one of them cannot be
/// told.
std::string programIdentity();

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_PROGRAMIDENTITY_H
