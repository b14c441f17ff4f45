//===- PureFunctions.h - Functions that only compute ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A large function of libdevice (pow, fmod) is left as a call by the inliner. Such a
// function touches no memory, waits for nobody and does not know which thread calls it, so that
// a call is a computation like any other, however often and by whichever thread it is made.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PUREFUNCTIONS_H
#define GPUPRUNE_LIB_TRANSFORMS_PUREFUNCTIONS_H

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace gpuprune {

/// Finds the functions of \p M that only compute: what they return follows from their arguments alone,
/// whichever thread calls. They touch no memory, read no special register, do nothing together with other
/// threads, and call only what does not either. LLVM is told that they touch no memory and are not
/// convergent.
void markPureFunctions(llvm::Module &M);

/// Whether \p I calls such a function.
bool isPureCall(const llvm::Instruction &I);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PUREFUNCTIONS_H
