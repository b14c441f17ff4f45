//===- ExpressionFuzzer.cpp - Any text as an expression -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is taken has the same value in parentheses, and wherever its names have the
// same values. An expression of integers is one of real numbers, too, whose values are finite.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Workload/Expression.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

/// The value, or none where the evaluation is refused.
static std::optional<int64_t> valueOf(const Expression &E, const Environment &Values) {
  Expected<int64_t> Value = E.evaluate(Values);
  if (Value)
    return *Value;
  require(StringRef(refusal(Value.takeError())).contains(", column "), "an error without a column");
  return std::nullopt;
}

/// Returns whether \p Text is an expression of real numbers.
static bool lookAtReals(StringRef Text) {
  Expected<Expression> Parsed = Expression::parse(Text, Arithmetic::Reals);
  if (!Parsed) {
    require(StringRef(refusal(Parsed.takeError())).contains(", column "), "an error without a column");
    return false;
  }
  for (int64_t Seed : {int64_t(0), int64_t(3), std::numeric_limits<int64_t>::min()}) {
    Environment Values;
    for (const std::string &Name : Parsed->names())
      Values[Name] = Seed;
    Expected<double> Value = Parsed->evaluateReal(Values);
    if (Value)
      require(std::isfinite(*Value), "a value that is not finite");
    else
      require(StringRef(refusal(Value.takeError())).contains(", column "), "an error without a column");
  }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  bool IsReal = lookAtReals(Text);
  Expected<Expression> Parsed = Expression::parse(Text);
  if (!Parsed) {
    require(StringRef(refusal(Parsed.takeError())).contains(", column "), "an error without a column");
    return 0;
  }
  require(Parsed->text() == Text, "another text");
  require(IsReal, "an expression of integers that is none of real numbers");
  Expected<Expression> Wrapped = Expression::parse(("( " + Text + "\t)").str());
  if (!Wrapped)
    require(StringRef(refusal(Wrapped.takeError())).contains("nested more than"), "refused in parentheses");
  for (int64_t Seed : {int64_t(0), int64_t(1), int64_t(-7), int64_t(4096),
                       std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    Environment Values;
    for (const std::string &Name : Parsed->names())
      Values[Name] = Name.size() % 2 ? Seed : Seed / 3;
    std::optional<int64_t> Value = valueOf(*Parsed, Values);
    if (Wrapped)
      require(valueOf(*Wrapped, Values) == Value, "another value in parentheses");
  }
  if (!Parsed->names().empty())
    valueOf(*Parsed, {});
  return 0;
}
