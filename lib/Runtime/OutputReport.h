//===- OutputReport.h - What a candidate left in memory -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_OUTPUTREPORT_H
#define GPUPRUNE_LIB_RUNTIME_OUTPUTREPORT_H

#include "DeviceBuffers.h"
#include "LoadedProgram.h"

namespace gpuprune {

/// What \p Buffers hold now beside what \p P expects of them; \p Tolerance tells which
/// differences are beyond it. Error: status error for a file that cannot be read or has
/// another size than its buffer.
llvm::Expected<std::vector<protocol::Output>> reportOutputs(const Gpu &G, const ModuleCache &Files,
                                                            const protocol::Problem &P,
                                                            const protocol::Comparison &Tolerance,
                                                            const BufferSet &Buffers);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_OUTPUTREPORT_H
