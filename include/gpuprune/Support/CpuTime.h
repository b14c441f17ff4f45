//===- CpuTime.h - Processor time used so far -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_CPUTIME_H
#define GPUPRUNE_SUPPORT_CPUTIME_H

namespace gpuprune {

/// Milliseconds of processor time, user and system, that all threads of this
/// process and the child processes it has waited for have used.
double processCpuMs();
/// The same of the calling thread alone, and of the child processes alone.
double threadCpuMs();
double childrenCpuMs();

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_CPUTIME_H
