//===- Problem.h - A workload with all numbers known ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_PROBLEM_H
#define GPUPRUNE_WORKLOAD_PROBLEM_H

#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace gpuprune {

/// Values of a workload's sizes, all of them.
using SizeEnv = Environment;
/// Values of defines by name; one that is missing has the workload's first value.
using DefineValues = llvm::StringMap<std::string>;

struct ResolvedBuffer {
  std::string Name;
  ElementLayout Type = ElementType::F32;
  uint64_t Count = 0; ///< Elements, at least 1.
  uint64_t Bytes = 0;
  FillSpec Fill;
  BufferRole Role = BufferRole::In;
  std::string Symbol = {}; ///< The variable that holds it, as in BufferSpec.
};

struct ResolvedArgument {
  std::optional<unsigned> Buffer; ///< Index into ResolvedProblem::Buffers; else a scalar:
  ElementType Type = ElementType::I32;
  uint64_t Bits = 0; ///< Its object representation, in the low elementBytes(Type) bytes.
  std::optional<StructureValue> Structure = {}; ///< Then it is no scalar, and Type and Bits are meaningless.

  /// Of what is no buffer, its object representation.
  std::vector<uint8_t> bytes() const;
};

struct ResolvedLaunch {
  std::string Kernel;
  Dim3 Grid;                ///< Blocks, each at least 1; limits of a device are not checked here.
  Dim3 Block;               ///< Threads, each at least 1.
  uint64_t SharedBytes = 0; ///< Dynamic shared memory.
  std::vector<ResolvedArgument> Arguments;

  /// Threads of the launch, as a real number: it may exceed 64 bits.
  double threads() const;
};

struct ResolvedProblem {
  std::vector<ResolvedBuffer> Buffers;
  std::vector<ResolvedLaunch> Launches;
  std::optional<int64_t> WorkAmount; ///< In Workload::Work's unit.

  const ResolvedLaunch &tuned() const { return Launches.back(); }
  ResolvedLaunch &tuned() { return Launches.back(); }
  /// Those before it.
  llvm::ArrayRef<ResolvedLaunch> earlier() const { return llvm::ArrayRef(Launches).drop_back(); }
};

/// \p W with the sizes \p Sizes and the defines \p Defines. \p BlockOverride
/// replaces the block of the tuned launch; grid, shared and arguments that use
/// block.x, block.y or block.z follow it. Overflow, a dimension or a count below
/// 1 and a scalar that its type does not hold are errors of kind Input that name
/// file, place and key; so is a define the workload does not have.
llvm::Expected<ResolvedProblem> resolve(const Workload &W, const SizeEnv &Sizes,
                                        const DefineValues &Defines = {},
                                        std::optional<Dim3> BlockOverride = std::nullopt);

/// Every define of \p W with its value: of \p Defines, else the first. An error
/// of kind Input for a define that \p W does not have.
llvm::Expected<DefineValues> completeDefines(const Workload &W, const DefineValues &Defines);

/// The integer that \p Text spells as C does (decimal, 0x, leading 0 for octal), if it is one.
std::optional<int64_t> integerValueOf(llvm::StringRef Text);

/// The values an expression sees: \p Sizes and those of \p Defines, complete, that are integers.
Environment environmentOf(const SizeEnv &Sizes, const DefineValues &Defines);

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_PROBLEM_H
