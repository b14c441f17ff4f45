//===- Expression.h - Expressions of a workload ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 64-bit signed integers: grid sizes and byte counts must be exact, so a division that leaves a remainder and
// an overflow are errors. Where a number is of floating point, expressions compute in double precision
// instead, and have literals such as 0.5 and 1e-3.
//
//   lowest   ||   &&   == !=   < <= > >=   + -   * / %   unary - !   highest
//
// with parentheses, cdiv(a, b), min(a, ...), max(a, ...), decimal and 0x literals and
// names such as n, TILE or block.x. Comparisons give 1 or 0; && and || look
// at their right side only where it decides.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_EXPRESSION_H
#define GPUPRUNE_WORKLOAD_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// Values of the names an expression may use.
using Environment = llvm::StringMap<int64_t>;

/// What an expression computes with.
enum class Arithmetic { Integers, Reals };

/// A parsed expression; parsing happens once, evaluation many times.
class Expression {
public:
  /// An error of kind Input gives the column (from 1) in \p Text.
  static llvm::Expected<Expression> parse(llvm::StringRef Text, Arithmetic Kind = Arithmetic::Integers);

  /// The value, or an error of kind Input that gives the column of the operator
  /// or name: overflow, inexact or zero division, unknown name.
  llvm::Expected<int64_t> evaluate(const Environment &Values) const;
  /// The same of one of reals, each operation rounded to double precision: '/' divides, '%' is fmod and
  /// cdiv(a, b) rounds a / b up. An error where a result is not finite.
  llvm::Expected<double> evaluateReal(const Environment &Values) const;

  /// The names used, each once, in order of first use.
  llvm::ArrayRef<std::string> names() const { return Names; }
  const std::string &text() const { return Text; }

private:
  friend class ExpressionParser;

  enum class Op : uint8_t {
    Constant, ///< Push Operand.
    Real,     ///< Push the double whose bits are Operand.
    Name,     ///< Push the value of Names[Operand].
    Negate,
    Not,
    ToBool,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    CeilDivide,
    Minimum,
    Maximum,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    SkipIfZero,    ///< Where the top is zero, leave it and jump to Operand; else pop it.
    SkipIfNonZero, ///< Where the top is not zero, make it 1 and jump to Operand; else pop it.
  };
  struct Instruction {
    Op Code;
    unsigned Column;
    int64_t Operand;
  };

  llvm::Expected<int64_t> apply(const Instruction &I, int64_t Left, int64_t Right) const;
  llvm::Expected<double> applyReal(const Instruction &I, double Left, double Right) const;
  template <typename T>
  llvm::Expected<T> run(const Environment &Values,
                        llvm::Expected<T> (Expression::*Apply)(const Instruction &, T, T) const) const;
  llvm::Expected<int64_t> lookup(const Instruction &I, const Environment &Values) const;
  llvm::Error errorAt(unsigned Column, const llvm::Twine &Message) const;

  std::string Text;
  std::vector<std::string> Names;
  /// Postfix, for a stack: long chains need no recursion.
  std::vector<Instruction> Code;
};

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_EXPRESSION_H
