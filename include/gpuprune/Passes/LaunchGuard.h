//===- LaunchGuard.h - Never a silently wrong program -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline that changes the launch geometry leaves a host side that launches
// the old one. Until the host side is rewritten, such a compile is an error; so
// is a pipeline at -O0, where LLVM never gets to it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_PASSES_LAUNCHGUARD_H
#define GPUPRUNE_PASSES_LAUNCHGUARD_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace gpuprune {

void scheduleLaunchGuard(llvm::PassBuilder &PB, llvm::StringRef Pipeline);

} // namespace gpuprune

#endif // GPUPRUNE_PASSES_LAUNCHGUARD_H
