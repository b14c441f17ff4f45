//===- RecorderLibraries.h - Where plugin, recorder and CUPTI are --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_RECORDERLIBRARIES_H
#define GPUPRUNE_TOOLS_GPUPRUNE_RECORDERLIBRARIES_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// libGpuPruneRecord.so: $GPUPRUNE_RECORDER_LIBRARY, or where it was built or installed with this program.
/// Toolchain error.
llvm::Expected<std::string> findRecorder(const char *Argv0);

/// The path of libGpuPrune.so where it was built or installed with this program; its name where it was not.
std::string findPlugin();

/// libcupti: $GPUPRUNE_CUPTI (the file or its folder), a CUDA toolkit, PyPI's nvidia-cuda-cupti, or a folder
/// of the system. Toolchain error that names the places.
llvm::Expected<std::string> findCupti();

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_RECORDERLIBRARIES_H
