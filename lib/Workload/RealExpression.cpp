//===- RealExpression.cpp - Operators of real numbers ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Expression.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

// The values must not depend on whether the host has a fused multiply-add.
#pragma STDC FP_CONTRACT OFF

namespace gpuprune {

Expected<double> Expression::applyReal(const Instruction &I, double Left, double Right) const {
  bool Divides = I.Code == Op::Divide || I.Code == Op::Remainder || I.Code == Op::CeilDivide;
  if (Divides && Right == 0)
    return errorAt(I.Column, "division by zero");
  auto Compute = [&]() -> double {
    switch (I.Code) {
    case Op::Add:
      return Left + Right;
    case Op::Subtract:
      return Left - Right;
    case Op::Multiply:
      return Left * Right;
    case Op::Divide:
      return Left / Right;
    case Op::Remainder:
      return std::fmod(Left, Right);
    case Op::CeilDivide:
      return std::ceil(Left / Right);
    case Op::Minimum:
      return std::min(Left, Right);
    case Op::Maximum:
      return std::max(Left, Right);
    case Op::Less:
      return Left < Right;
    case Op::LessEqual:
      return Left <= Right;
    case Op::Greater:
      return Left > Right;
    case Op::GreaterEqual:
      return Left >= Right;
    case Op::Equal:
      return Left == Right;
    case Op::NotEqual:
      return Left != Right;
    default:
      llvm_unreachable("not a binary operator");
    }
  };
  double Result = Compute();
  if (!std::isfinite(Result))
    return errorAt(I.Column, "the result does not fit in double precision");
  return Result;
}

} // namespace gpuprune
