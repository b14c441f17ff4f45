//===- Survey.h - What each pass does to each kernel ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A survey tunes kernel after kernel and tells, for each and for each pass: applied,
// refused and why, or not applicable; and, where a GPU is there, what the pass gained
// alone and all of them together.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_SURVEY_H
#define GPUPRUNE_DRIVER_SURVEY_H

#include "gpuprune/Driver/Tuner.h"
#include <map>

namespace gpuprune {

/// What became of the variants of a kernel that make one choice only, or of all.
struct SurveyCell {
  size_t Variants = 0;                    ///< That the space offers; 0: the choice does not apply.
  size_t Applied = 0;                     ///< Of these, that neither a pass nor the launch refused.
  std::map<RefusalKind, size_t> Refusals; ///< Variants by refusal.
  size_t NotCompiled = 0;                 ///< For lack of time, or as modelled times say.
  std::optional<double> Speedup;          ///< Of the fastest over stock clang on the source as written.
  std::string Best;                       ///< The variant that is.

  /// The most frequent refusal, the first in Refusals.def among equals.
  std::optional<RefusalKind> commonRefusal() const;
};

/// A variant that no refusal accounts for: it crashed the compiler, faulted, computed something else.
struct SurveyFault {
  std::string Variant;
  VariantStatus Status = VariantStatus::Wrong;
  std::string Message;
};

struct SurveyedKernel {
  std::string Name;     ///< Of the folder.
  std::string Workload; ///< As it was found.
  std::string Error;    ///< Why there is nothing else; empty: there is.
  std::optional<ErrorKind> ErrorOf;
  std::map<std::string, SurveyCell> Alone; ///< By the name of the choice (Alone.h).
  SurveyCell All;                          ///< The space, and what it offers to each choice alone.
  /// Of the choice: never below 1, since the source as written is one. Nothing where not measured.
  std::optional<double> Speedup;
  std::optional<std::string> Winner; ///< A variant; nothing: the source as written by stock clang.
  std::string NotMeasured, BudgetNote;
  bool RunnerFailed = false;
  std::vector<SurveyFault> Faults;
  std::optional<llvm::json::Value> Report; ///< briefReport() of it, where that is asked for.
};

/// Of the kernels that were measured.
struct SurveySummary {
  size_t Measured = 0;
  size_t Faster = 0; ///< By at least 5 %.
  size_t Slower = 0;
  std::optional<double> Mean;             ///< Geometric.
  std::optional<double> Median;           ///< Of two in the middle, their geometric mean.
  std::optional<double> MeanWithoutThree; ///< Without the three best; nothing for three kernels and fewer.
};

struct Survey {
  std::string Device, Gpu;
  std::vector<std::string> Choices; ///< The columns: passes as they run, then BlockChoice and DefinesChoice.
  std::vector<SurveyedKernel> Kernels;

  SurveySummary summary() const;
  size_t faults() const;
};

struct SurveyOptions {
  std::vector<std::string> Places;     ///< Workloads, front-end bundles, or folders of them.
  TuneOptions Tuning;                  ///< Of each kernel; its budget, too.
  std::optional<double> BudgetSeconds; ///< Of all kernels together.
  bool KeepReports = false;            ///< In SurveyedKernel.
};

/// The workloads and front-end bundles that \p Places name or hold, in the order of their
/// names. Input error for a place that holds none.
llvm::Expected<std::vector<std::string>> findWorkloads(llvm::ArrayRef<std::string> Places);

/// The kernels, by number, that their part of the budget left something out of.
std::vector<size_t> cutShort(const Survey &S);

/// What is known of a kernel after a later visit: what says more of it, with the faults of both. What a fault
/// was found in is nobody's best, and where it was the kernel's, nothing is said of its speed.
SurveyedKernel afterVisit(SurveyedKernel Before, SurveyedKernel Now);

/// Kernels whose part of the budget was too small are visited again with what others left of theirs.
/// A kernel that cannot be tuned is a row that says why; an error where there is no kernel, and a Usage error
/// where the strategy times nothing or cannot be combined with other options.
llvm::Expected<Survey> survey(const SurveyOptions &Options, Progress &Shown);

/// What makes a survey a failure, once it has been written: a kernel that could not be tuned, a runner that
/// failed, or, as Internal error, a variant that crashed or computed something else.
llvm::Error problemsOf(const Survey &S);

/// What \p Report tells about the kernel \p Name.
SurveyedKernel surveyOf(llvm::StringRef Name, const TuneReport &Report);

void printSurvey(llvm::raw_ostream &OS, const Survey &S);
llvm::json::Value toJSON(const Survey &S);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_SURVEY_H
