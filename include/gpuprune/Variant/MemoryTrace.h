//===- MemoryTrace.h - A sample of a variant's accesses ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_MEMORYTRACE_H
#define GPUPRUNE_VARIANT_MEMORYTRACE_H

#include "gpuprune/Model/MemoryProfile.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// Runs a few blocks of the launch of \p Built, which has its FinalBitcode and resources, over
/// the data of \p Problem at the size to tune. Long loops are not run to their end. Errors: Refused (the CPU
/// cannot run it, or a buffer is passed twice), Runner (the kernel faults), and those of the buffers' fills.
llvm::Expected<MemoryProfile> profileMemory(const BuiltVariant &Built, ResolvedProblem Problem,
                                            const DeviceInfo &Device);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_MEMORYTRACE_H
