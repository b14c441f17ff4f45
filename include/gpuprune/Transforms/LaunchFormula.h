//===- LaunchFormula.h - A kernel's integers, computed on the host ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel computes from its scalar arguments, and structures, alone, such as the bound of its
// guard, kept without the IR it came from, so that it can be evaluated for launches
// that are made later.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_LAUNCHFORMULA_H
#define GPUPRUNE_TRANSFORMS_LAUNCHFORMULA_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace gpuprune {

/// The numbers of one launch.
struct LaunchNumbers {
  Dim3 Grid, Block;
  /// By index of the kernel's argument, as LaunchContext has them.
  std::vector<std::optional<int64_t>> Scalars;
  /// The same, of structures passed by value: as they lie in memory; empty where the argument is none.
  std::vector<std::vector<uint8_t>> Structures = {};

  /// Threads of the grid in \p Dimension; nothing beyond 64 bits.
  std::optional<int64_t> extent(unsigned Dimension) const;
};

/// Postfix, for a stack of integers of at most 64 bits that wrap as the kernel's do.
class LaunchFormula {
public:
  enum class Op : uint8_t {
    Constant, ///< Operand.
    Scalar,   ///< The argument number Operand, truncated or sign-extended to Bits.
    Member,   ///< Bits from the byte Operand % 2^32 on of the structure that is the argument number Operand /
              ///< 2^32.
    Extent,   ///< LaunchNumbers::extent of the dimension Operand.
    Binary,   ///< llvm::Instruction::BinaryOps in Operand.
    Compare,  ///< llvm::CmpInst::Predicate in Operand.
    Select,
    ZeroExtend,
    SignExtend,
    Truncate,
    SignedMin,
    SignedMax,
    UnsignedMin,
    UnsignedMax,
  };
  struct Step {
    Op Code;
    unsigned Bits; ///< Of the result; of the operands for a comparison.
    uint64_t Operand = 0;
  };
  /// Longer ones are not worth their time.
  static constexpr size_t MaxSteps = 64;

  LaunchFormula() = default;
  static LaunchFormula constant(uint64_t Value, unsigned Bits);
  static LaunchFormula scalar(unsigned Argument, unsigned Bits);
  static LaunchFormula member(unsigned Argument, uint32_t Byte, unsigned Bits);
  static LaunchFormula extent(unsigned Dimension, unsigned Bits);
  /// \p Operands and then \p Last.
  static LaunchFormula apply(llvm::ArrayRef<LaunchFormula> Operands, Step Last);

  /// Nothing where a scalar or a structure is not known, or for a division by zero.
  std::optional<llvm::APInt> evaluate(const LaunchNumbers &Launch) const;
  size_t size() const { return Steps.size(); }
  /// The value, where no launch decides it.
  std::optional<llvm::APInt> constantValue() const;

private:
  std::vector<Step> Steps;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_LAUNCHFORMULA_H
