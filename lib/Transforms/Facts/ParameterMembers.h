//===- ParameterMembers.h - Members of structures passed by value -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structure that is passed by value is memory of each thread's own, which holds the same at
// the start of each of them. Nothing but the parameter leads there. Where a kernel only reads it,
// what it reads at a constant offset is therefore a number of the launch, as a scalar argument is.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PARAMETERMEMBERS_H
#define GPUPRUNE_LIB_TRANSFORMS_PARAMETERMEMBERS_H

#include <compare>
#include <cstdint>
#include <optional>

namespace llvm {
class Argument;
class Value;
} // namespace llvm

namespace gpuprune {

/// An integer of so many bits, whole bytes, that lies at a byte of a structure.
struct ParameterMember {
  const llvm::Argument *Parameter = nullptr;
  uint64_t Offset = 0;
  unsigned Bits = 0;

  auto operator<=>(const ParameterMember &) const = default;
};

/// Whether \p Parameter, passed by value, is read and nothing else: no store, and no use that is not
/// followed.
bool isOnlyRead(const llvm::Argument &Parameter);

/// What \p V loads, where that is such a member.
std::optional<ParameterMember> memberRead(const llvm::Value &V);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PARAMETERMEMBERS_H
