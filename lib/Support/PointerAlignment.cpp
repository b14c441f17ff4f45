//===- PointerAlignment.cpp - Where buffers have to begin -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/PointerAlignment.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::string misalignedPointer(unsigned Argument, StringRef Buffer, uint64_t Address, uint64_t Alignment) {
  if (Alignment <= 1 || Address % Alignment == 0)
    return "";
  std::string Named = Buffer.empty() ? "" : formatv(", the buffer {0},", Buffer).str();
  return formatv(
      "argument {0}{1} is at an address that is {2} modulo {3}, and the kernel is compiled for buffers "
      "that begin at multiples of {3} bytes; pass whole allocations, or compile without align={3}",
      Argument, Named, Address % Alignment, Alignment);
}

} // namespace gpuprune
