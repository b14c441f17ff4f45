//===- KernelBounds.cpp - What a kernel's attributes say of its launch ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace gpuprune {

/// "X,Y,Z", of which trailing ones may be missing.
static std::optional<Dim3> parseBlock(StringRef Text) {
  SmallVector<StringRef, 3> Extents;
  Text.split(Extents, ',');
  Dim3 Block;
  if (Extents.size() > Dim3::size())
    return std::nullopt;
  for (unsigned D = 0; D < Extents.size(); ++D) {
    uint16_t Extent = 0;
    if (Extents[D].trim().getAsInteger(10, Extent) || Extent == 0)
      return std::nullopt;
    Block[D] = Extent;
  }
  return Block;
}

std::optional<LaunchBound> launchBound(const Function &F) {
  for (StringRef Name : {"nvvm.reqntid", "nvvm.maxntid"})
    if (F.hasFnAttribute(Name))
      if (std::optional<Dim3> Block = parseBlock(F.getFnAttribute(Name).getValueAsString()))
        return LaunchBound{*Block, Name == "nvvm.reqntid"};
  return std::nullopt;
}

unsigned computeCapability(const Function &F) {
  StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Cpu.consume_front("sm_") && !Cpu.consumeInteger(10, Number) ? Number : 0;
}

} // namespace gpuprune
