//===- QuotientTests.h - Comparisons of a quotient with one -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// n / d < 1, 1 - n / d > 0 and n / d - 1 < 0 say n < d where d is not negative, unless n = -inf and d = inf;
// n / d > 1 and so on say n > d where d is not negative.
//
// Why, for numbers that are rounded to the nearest and keep subnormal results, q = n / d rounded, d > 0:
// - n < d: n is at most the number below d, which is at most d * (1 - 2^-p) with p bits of significand (24
//   for float), so n / d <= 1 - 2^-p, a number itself, and q is at most that.
// - n = d, finite: q = 1.
// - n > d: n is at least the number above d. If d is 2^e * (2 - 2^(1-p)), n / d >= 1 / (1 - 2^-p)
//   > 1 + 2^-p, else (n - d) / d >= 2^(1-p) / (2 - 2^(2-p)) > 2^-p: in both cases more than halfway to the
//   number above 1, so q > 1.
// - d = +0: q is an infinity of n's sign, so q > 1 exactly if n > 0, q < 1 exactly if n < 0; 0 / 0 is no
//   number, and neither 0 < 0 nor 0 > 0.
// - d infinite: q is a zero for finite n, which is below d. An infinity over it is no number, so that neither
//   q < 1 nor q > 1; inf > inf, inf < inf and -inf > inf are false, too, but -inf < inf is not.
// - n or d no number: neither is q.
// 1 - q is positive exactly if q < 1, since a difference of numbers is zero only where they are equal.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_QUOTIENTTESTS_H
#define GPUPRUNE_LIB_TRANSFORMS_QUOTIENTTESTS_H

#include "FloatRanges.h"
#include <optional>

namespace gpuprune {

/// What decides a comparison of \p Numerator / \p Denominator with one.
struct QuotientTest {
  llvm::CmpInst::Predicate Predicate; ///< Of the numerator with the denominator.
  llvm::Value *Numerator, *Denominator;
};

/// What \p Compare tests, if it compares a quotient by a number that is not negative with one.
std::optional<QuotientTest> quotientTest(const llvm::FCmpInst &Compare, FloatRanges &Ranges);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_QUOTIENTTESTS_H
