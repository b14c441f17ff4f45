//===- PointerAlignment.h - Where buffers have to begin ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_POINTERALIGNMENT_H
#define GPUPRUNE_SUPPORT_POINTERALIGNMENT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuprune {

/// What is wrong with passing \p Address as argument number \p Argument to a kernel whose launch
/// contract promises that buffers begin at multiples of \p Alignment bytes, a power of two; "" where
/// nothing is. \p Buffer is the buffer's name, or empty. The text tells the address modulo the
/// alignment alone, so it is the same in each run.
std::string misalignedPointer(unsigned Argument, llvm::StringRef Buffer, uint64_t Address,
                              uint64_t Alignment);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_POINTERALIGNMENT_H
