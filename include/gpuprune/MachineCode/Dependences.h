//===- Dependences.h - Whether results are waited for -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check of the decoder by the one thing that has to hold in all code that works: who
// uses the result of an instruction of variable latency waits for it. nvdisasm does not
// print the control bits in words; if they, or the registers and the latency kind of an
// opcode, were read wrongly, this would not hold.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_DEPENDENCES_H
#define GPUPRUNE_MACHINECODE_DEPENDENCES_H

#include "gpuprune/MachineCode/KernelCode.h"

namespace gpuprune {

/// A result that is used, or overwritten, though the barrier of its producer has not been waited on.
struct MissingWait {
  size_t Producer; ///< Both by their place among the instructions.
  size_t User;
  RegisterRange Register;
  uint8_t Barrier; ///< Of the producer; NoBarrier where it has none.
  bool IsOverwrite;
  /// Where the producer has no barrier: a later instruction of the same unit whose barrier has been
  /// waited on. Shared-memory loads finish in order, so do special functions with conversions, and
  /// double-precision arithmetic; ptxas gives a barrier only to the last one that is waited for.
  std::optional<size_t> InOrderWith;
};

/// What is used under the opposite of the producer's guard is not used. In straight-line code: along each
/// path on which no branch is taken, from the begin of the section, a call or an instruction that always
/// leaves. What a call or a taken branch brings along is not known.
std::vector<MissingWait> findMissingWaits(const KernelCode &Code);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_DEPENDENCES_H
