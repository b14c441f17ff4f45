//===- Background.h - Work that must not disturb measuring ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_BACKGROUND_H
#define GPUPRUNE_SUPPORT_BACKGROUND_H

namespace gpuprune {

/// From now on the calling thread, and what it starts, gets a tenth of a core that others want:
/// enough to go on where a machine is busy.
void runBehind();
/// The same of a thread for which measuring may soon wait: a third, and more than threads behind get.
void runShortlyBehind();

/// Threads for such work where \p Jobs (0: as many as there are cores) are asked for: one core is
/// left to the process that measures, if there are more.
unsigned threadsBehind(unsigned Jobs);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_BACKGROUND_H
