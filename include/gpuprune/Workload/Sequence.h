//===- Sequence.h - One launch of a sequence -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_SEQUENCE_H
#define GPUPRUNE_WORKLOAD_SEQUENCE_H

#include "gpuprune/Workload/Workload.h"

namespace gpuprune {

/// The sequence \p W, or the one that \p W is a part of, up to its launch \p Number, which counts from 0 and
/// is the one to tune, with the buffers that these steps use. Where it is repeated, its sizes are those of
/// some iterations, each of which starts from what the author's launches leave before it. Of a sequence all
/// launches are built with the author's defines, and \p W's work, which is that of the whole, is left out.
Workload upToLaunch(Workload W, size_t Number);

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_SEQUENCE_H
