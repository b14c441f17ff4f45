//===- Measurement.h - Timing with CUDA events ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H
#define GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H

#include "DeviceBuffers.h"
#include "LoadedProgram.h"

namespace gpuprune {

/// Times \p Candidate over \p Buffers as \p M asks, in rounds with \p Baseline
/// where that is not null, and writes samples, medians and, where a limit is
/// passed, status slow into \p R. Error: what the candidate did, or status
/// reference for what the baseline did.
llvm::Error measure(const Gpu &G, const protocol::Measure &M, const BufferSet &Buffers,
                    const LoadedProgram &Candidate, const LoadedProgram *Baseline, protocol::Result &R);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H
