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
  std::string Name; ///< After the last step. It is this one's that is compared.
  ElementLayout Type = ElementType::F32;
  uint64_t Count = 0; ///< Elements, at least 1.
  uint64_t Bytes = 0;
  FillSpec Fill;
  BufferRole Role = BufferRole::In;
  std::string Symbol = {}; ///< The variable that holds it, as in BufferSpec.
  bool Temporary =
      false; ///< Of Name, as in BufferSpec. What one launch leaves in it is compared nevertheless.
  std::string FirstName = {};           ///< Before the first step: Fill and Role are of this one.
  std::optional<uint64_t> Address = {}; ///< As in BufferSpec.
};

struct ResolvedArgument {
  std::optional<unsigned> Buffer; ///< Index into ResolvedProblem::Buffers; else a scalar:
  ElementType Type = ElementType::I32;
  uint64_t Bits = 0;   ///< Its object representation, in the low elementBytes(Type) bytes.
  uint64_t Offset = 0; ///< Of a buffer: the byte that it points to.
  std::optional<StructureValue> Structure = {}; ///< Then it is no scalar, and Type and Bits are meaningless.

  /// Of what is no buffer, its object representation.
  std::vector<uint8_t> bytes() const;
  bool operator==(const ResolvedArgument &) const = default;
};

struct ResolvedLaunch {
  unsigned Spec = 0;     ///< Index into Workload::Launches.
  std::string Iteration; ///< "k=3,j=0", the variables of the repeats around it; empty: none.
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
  /// Steps unrolled: a swap is nothing but other buffers in the arguments behind it.
  std::vector<ResolvedLaunch> Launches;
  std::optional<int64_t> WorkAmount; ///< In Workload::Work's unit.

  /// Whether a kernel may reach buffers by pointers that are no arguments.
  bool hasAddresses() const;
  const ResolvedLaunch &tuned() const { return Launches.back(); }
  ResolvedLaunch &tuned() { return Launches.back(); }
  /// Those before it.
  llvm::ArrayRef<ResolvedLaunch> earlier() const { return llvm::ArrayRef(Launches).drop_back(); }
};

/// Which launches resolve() makes.
enum class LaunchScope {
  All,           ///< All up to the tuned launch or, of a whole sequence, all.
  Tuned,         ///< The last one of these alone, where what comes before it is not asked for.
  EachIteration, ///< The tuned launch alone, in all its iterations.
};

/// \p W with the sizes \p Sizes and the defines \p Defines. \p BlockOverride
/// replaces the block of the tuned launch; grid, shared and arguments that use
/// block.x, block.y or block.z follow it. Overflow, a dimension or a count below
/// 1 and a scalar that its type does not hold are errors of kind Input that name
/// file, place and key; so is a define the workload does not have.
llvm::Expected<ResolvedProblem> resolve(const Workload &W, const SizeEnv &Sizes,
                                        const DefineValues &Defines = {},
                                        std::optional<Dim3> BlockOverride = std::nullopt,
                                        LaunchScope Scope = LaunchScope::All);

/// \p W, a whole sequence, with the author's defines, and for each of its launches the block of \p Blocks, if
/// there is one.
llvm::Expected<ResolvedProblem> resolveWhole(const Workload &W, const SizeEnv &Sizes,
                                             llvm::ArrayRef<std::optional<Dim3>> Blocks);

/// Every define of \p W with its value: of \p Defines, else the first. An error
/// of kind Input for a define that \p W does not have.
llvm::Expected<DefineValues> completeDefines(const Workload &W, const DefineValues &Defines);

/// The integer that \p Text spells as C does (decimal, 0x, leading 0 for octal), if it is one.
std::optional<int64_t> integerValueOf(llvm::StringRef Text);

/// The value of a parameter that leaves out what its placeholder stands in.
inline constexpr llvm::StringLiteral NoneValue = "none";

/// What a constraint sees of a parameter's value: `none` counts as 0; nothing for other words.
std::optional<int64_t> constrainedValueOf(llvm::StringRef Value);

/// The values an expression sees: \p Sizes and those of \p Defines, complete, that are integers.
Environment environmentOf(const SizeEnv &Sizes, const DefineValues &Defines);

/// "n=4096,m=64", in the order of the workload.
std::string sizeName(const Workload &W, const Environment &Sizes);

/// The sizes to check, that to tune last, each once.
std::vector<Environment> distinctSizes(const Workload &W);

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_PROBLEM_H
