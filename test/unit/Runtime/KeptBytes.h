//===- KeptBytes.h - What is kept of an output, for tests to spoil --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_RUNTIME_KEPTBYTES_H
#define GPUPRUNE_TEST_UNIT_RUNTIME_KEPTBYTES_H

#include "KeptOutput.h"

namespace gpuprune {

struct KeptBytes {
  /// The fake driver's device memory is the host's.
  static uint8_t *of(KeptOutput &Output) {
    return Output.There ? reinterpret_cast<uint8_t *>(Output.There->Bytes.address())
                        : Output.Here->Left.Bytes.data();
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_TEST_UNIT_RUNTIME_KEPTBYTES_H
