//===- Throughput.h - How many results a multiprocessor makes a cycle -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEVICE_THROUGHPUT_H
#define GPUPRUNE_DEVICE_THROUGHPUT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuprune {

enum class Throughput : uint8_t {
#define THROUGHPUT(Enumerator, Name, What) Enumerator,
#include "gpuprune/Device/Throughputs.def"
};

constexpr unsigned NumThroughputs = static_cast<unsigned>(Throughput::Convert64) + 1;

/// "fp32", "int-add", ...
llvm::StringRef throughputName(Throughput Kind);
/// What the kind stands for, for a person.
llvm::StringRef throughputDescription(Throughput Kind);

/// Results a cycle and SM, where each thread of a warp makes one; 32 is one
/// instruction a cycle. 0 where there is no such instruction, where it is made of
/// several, or where NVIDIA tells no figure.
struct Throughputs {
#define THROUGHPUT(Enumerator, Name, What) unsigned Enumerator = 0;
#include "gpuprune/Device/Throughputs.def"

  unsigned operator[](Throughput Kind) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DEVICE_THROUGHPUT_H
