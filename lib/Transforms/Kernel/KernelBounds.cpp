//===- KernelBounds.cpp - What a kernel's attributes say of its launch ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// Extents above this are no bound of any block.
static constexpr int64_t MostThreads = std::numeric_limits<uint16_t>::max();

std::optional<LaunchBound> launchBound(const Function &F) {
  for (StringRef Name : {"nvvm.reqntid", "nvvm.maxntid"})
    if (F.hasFnAttribute(Name))
      if (std::optional<Dim3> Block =
              Dim3::parse(F.getFnAttribute(Name).getValueAsString(), ',', MostThreads))
        return LaunchBound{*Block, Name == "nvvm.reqntid"};
  return std::nullopt;
}

bool LaunchBound::allows(const Dim3 &Launched) const {
  return Exact ? Launched == Block : Launched.volume() <= double(threads());
}

std::string LaunchBound::whyNot(const Dim3 &Launched) const {
  return formatv("compiled for blocks of {0} {1} x {2} x {3} threads, the launch has {4} x {5} x {6}",
                 Exact ? "exactly" : "at most", Block.X, Block.Y, Block.Z, Launched.X, Launched.Y,
                 Launched.Z);
}

unsigned computeCapability(const Function &F) {
  StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Cpu.consume_front("sm_") && !Cpu.consumeInteger(10, Number) ? Number : 0;
}

} // namespace gpuprune
