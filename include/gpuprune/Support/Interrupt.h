//===- Interrupt.h - Leaving nothing behind when stopped --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that are running and temporary folders that exist are known here, so
// that Ctrl-C can end the ones and remove the others.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_INTERRUPT_H
#define GPUPRUNE_SUPPORT_INTERRUPT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuprune {

/// From now on SIGINT, SIGTERM and SIGHUP end the running children, remove the
/// temporary folders, and then this process by that same signal. A file that may
/// not grow (SIGXFSZ) is an error of the write. Called once, by main.
void cleanUpOnInterrupt();

/// What is written to standard error after the cleaning, such as how to go on.
void setLastWords(std::string Text);

/// The processes and folders that are to be cleaned up. Once the cleaning has
/// begun, these calls do not return: nothing new can come to be.
namespace leftovers {
/// \p Make returns the path of the folder it has made, or "".
std::string addFolder(llvm::function_ref<std::string()> Make);
void removeFolder(llvm::StringRef Path);
/// \p Start returns the id of the process it has started, or 0.
int addProcess(llvm::function_ref<int()> Start);
void forgetProcess(int Id);
} // namespace leftovers

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_INTERRUPT_H
