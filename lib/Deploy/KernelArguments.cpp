//===- KernelArguments.cpp - What a record says of a kernel's parameters ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/KernelArguments.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

KernelArguments kernelArguments(ArrayRef<KernelParameter> Parameters) {
  using Kind = KernelParameter::Kind;
  KernelArguments Known;
  Known.Count = Parameters.size();
  for (const auto &[Index, P] : enumerate(Parameters)) {
    if (P.Is == Kind::Pointer)
      Known.Pointers.push_back({uint32_t(Index), 0});
    for (const KernelParameter &Field : P.Fields)
      if (Field.Is == Kind::Pointer)
        Known.Pointers.push_back({uint32_t(Index), uint32_t(Field.Offset)});
  }
  return Known;
}

} // namespace gpuprune
