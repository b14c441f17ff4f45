//===- SurveyShares.cpp - What each kernel of a survey gets of a budget ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SurveyShares.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace gpuprune {

/// Preparing takes about this part of a kernel's budget; the rest is measuring.
static constexpr double PreparingShare = 0.7;

/// Measuring gets at least this part of a kernel's own budget: preparing ahead is slow, and what has not
/// been measured with its baseline is lost.
static constexpr double LeastMeasuringShare = 0.5;

/// A kernel may get more than its part where others go on meanwhile, or where enough would be left for those
/// to come, but not more than this part of what is left.
static constexpr double MostOfRest = 0.25;

/// Enough for those to come: so many times as long for each as measuring those before it took, in the mean.
static constexpr double Reserve = 2;

double SurveyShares::rest(double Spent) const { return Whole ? std::max(*Whole - Spent, 0.0) : 0; }

/// What is left beyond what the others are likely to need.
double SurveyShares::beyond(const Progress &Of) const {
  return Of.Done ? rest(Of.Spent) - Reserve * Of.Measuring / double(Of.Done) * double(Of.Left - 1) : 0;
}

static double atMost(const std::optional<double> &Each, double Part) {
  return Each ? std::min(*Each, Part) : Part;
}

std::optional<double> SurveyShares::toPrepare(const Progress &Of) const {
  if (!Whole)
    return Each;
  double Rest = rest(Of.Spent);
  // All but the measuring of the last one is behind the preparing of others.
  double Part = Rest / (PreparingShare * double(llvm::divideCeil(Of.Left, AtOnce)) + 1 - PreparingShare);
  if (AtOnce > 1) // The others go on beside it.
    Part = std::max(Part, std::min(beyond(Of), Rest * MostOfRest));
  return atMost(Each, Part);
}

std::optional<double> SurveyShares::toMeasure(const Progress &Of, double Preparing, double Free) const {
  std::optional<double> Own = Each;
  if (Own)
    *Own = std::max(*Own - Preparing, *Own * LeastMeasuringShare);
  if (!Whole)
    return Own;
  double Rest = rest(Of.Spent);
  double More = std::min(std::max(Free, beyond(Of)), Rest * MostOfRest);
  return atMost(Own, std::max(Rest / double(Of.Left), More));
}

} // namespace gpuprune
