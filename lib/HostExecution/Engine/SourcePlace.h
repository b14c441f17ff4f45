//===- SourcePlace.h - Where in the user's source an instruction comes from ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_SOURCEPLACE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_SOURCEPLACE_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include <string>

namespace gpuprune {

/// The line in the kernel itself, where what was inlined is called.
inline const llvm::DILocation *kernelLocation(const llvm::Instruction &I) {
  const llvm::DILocation *Location = I.getDebugLoc().get();
  while (Location && Location->getInlinedAt())
    Location = Location->getInlinedAt();
  return Location;
}

/// " at file.cu:12", or nothing where the code has no locations.
inline std::string atSourceLine(const llvm::Instruction &I) {
  const llvm::DILocation *Location = kernelLocation(I);
  if (!Location)
    return "";
  return " at " + Location->getFilename().str() + ":" + std::to_string(Location->getLine());
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_SOURCEPLACE_H
