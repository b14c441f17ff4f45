//===- ModelGuided.cpp - Measuring in the order of a model -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/ModelCorrection.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

namespace {

class ModelGuidedStrategy : public Strategy {
public:
  explicit ModelGuidedStrategy(const ModelGuidedOptions &Options)
      : Options(Options), OfRest(makeSearchStrategy(Options.Strategy, Options.AtLeast)) {}

  std::string whyDone() const override { return Why; }

private:
  /// Best of all to begin with, and all to begin with.
  static constexpr size_t FirstBest = 5, MostFirst = 8;
  /// At a time then: the order of the next depends on their times.
  static constexpr size_t AtATime = 3;
  /// A term's best is no beginning where it takes so many times the best of all.
  static constexpr double FarFromBest = 1.5;

  ModelGuidedOptions Options;
  std::unique_ptr<Strategy> OfRest;
  std::string Why;
  std::optional<double> BestWhenAsked; ///< The fastest before the last batch.

  /// A variant that is not measured.
  struct Candidate {
    size_t Row;
    double ExpectedMs;
  };
  /// What is known of the rows that the model ranks.
  struct Knowledge {
    std::vector<TimedModel> Timed;
    std::vector<size_t> Left; ///< Rows without a time.
    double BestMs = std::numeric_limits<double>::infinity();
    bool HasPending = false; ///< Some were asked for and have no result.
  };

  static bool isRanked(const VariantResult &Row) { return Row.Modelled.Ms && Row.mayWin(); }

  Knowledge look(ArrayRef<VariantResult> Rows, RowFilter Among) const {
    Knowledge Known;
    for (const auto &[Index, Row] : enumerate(Rows)) {
      if ((Among && !Among(Index)) || Row.isDuplicate() || !isRanked(Row))
        continue;
      bool IsTimed = Row.OnGpu.MedianMs && *Row.OnGpu.MedianMs > 0;
      if (IsTimed && (Row.isGood() || Row.Status == VariantStatus::Slow))
        Known.Timed.push_back({*Row.Modelled.Bound, *Row.Modelled.Ms, *Row.OnGpu.MedianMs});
      if (IsTimed && Row.isGood())
        Known.BestMs = std::min(Known.BestMs, *Row.OnGpu.MedianMs);
      if (IsTimed || !Row.canRun())
        continue;
      if (wasAsked(Index))
        Known.HasPending = true;
      else
        Known.Left.push_back(Index);
    }
    return Known;
  }

  /// The one that is expected to be fastest first; of equals the one that the metrics promise more of.
  static std::vector<Candidate> inOrder(ArrayRef<VariantResult> Rows, const Knowledge &Known,
                                        const ModelCorrection &Correction) {
    std::vector<Candidate> All;
    for (size_t Row : Known.Left)
      All.push_back({Row, Correction.expectedMs(*Rows[Row].Modelled.Bound, *Rows[Row].Modelled.Ms)});
    llvm::sort(All, [&](const Candidate &A, const Candidate &B) {
      return std::tuple(A.ExpectedMs, -promise(Rows[A.Row]), A.Row) <
             std::tuple(B.ExpectedMs, -promise(Rows[B.Row]), B.Row);
    });
    return All;
  }

  static std::vector<size_t> firstOf(ArrayRef<VariantResult> Rows, ArrayRef<Candidate> Ordered) {
    std::vector<size_t> First;
    std::array<bool, NumModelTerms> HasTerm{};
    auto Add = [&](const Candidate &C) {
      First.push_back(C.Row);
      HasTerm[size_t(*Rows[C.Row].Modelled.Bound)] = true;
    };
    for (const Candidate &C : Ordered.take_front(FirstBest))
      Add(C);
    for (const Candidate &C : Ordered.drop_front(First.size()))
      if (First.size() < MostFirst && !HasTerm[size_t(*Rows[C.Row].Modelled.Bound)] &&
          C.ExpectedMs <= FarFromBest * Ordered.front().ExpectedMs)
        Add(C);
    return First;
  }

  /// Of \p Ordered those that may be faster than the fastest by more than the margin.
  ArrayRef<Candidate> promising(ArrayRef<Candidate> Ordered, const Knowledge &Known,
                                const ModelCorrection &Correction) const {
    std::optional<double> Least = Correction.leastRatio(Options.Confidence);
    if (!Least || std::isinf(Known.BestMs))
      return Ordered;
    return Ordered.take_while(
        [&](const Candidate &C) { return C.ExpectedMs * *Least < Known.BestMs * (1 - Options.Margin); });
  }

  void explain(size_t Timed, size_t Left) {
    if (Timed + Left == 0)
      Why = "no variant can be ranked by the model";
    else if (Left == 0)
      Why = formatv("all {0} that the model can rank were measured", counted(Timed, "variant"));
    else
      Why = formatv(
          "{0} measured in the order of the model, corrected by their times; as far as {2:F0} % of its "
          "errors tell, none of the {1} left is more than {3:F0} % faster than the fastest",
          counted(Timed, "variant was", "variants were"), Left, 100 * Options.Confidence,
          100 * Options.Margin);
  }

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    std::vector<size_t> Result =
        OfRest->nextBatch(Rows, [&](size_t Row) { return (!Among || Among(Row)) && !isRanked(Rows[Row]); });
    Why.clear();
    Knowledge Known = look(Rows, Among);
    if (Known.HasPending)
      return Result;
    ModelCorrection Correction(Known.Timed);
    std::vector<Candidate> Ordered = inOrder(Rows, Known, Correction);
    if (Known.Timed.empty() && !Ordered.empty()) {
      append_range(Result, firstOf(Rows, Ordered));
      return Result;
    }
    ArrayRef<Candidate> Next = promising(Ordered, Known, Correction).take_front(AtATime);
    // Where the order is wrong, residuals have a trend, and the next are not like those before.
    if (Next.empty() && BestWhenAsked && Known.BestMs < *BestWhenAsked * (1 - Options.Margin))
      Next = ArrayRef(Ordered).take_front(AtATime);
    BestWhenAsked = Known.BestMs;
    for (const Candidate &C : Next)
      Result.push_back(C.Row);
    if (Next.empty())
      explain(Known.Timed.size(), Ordered.size());
    return Result;
  }
};

} // namespace

std::unique_ptr<Strategy> makeModelGuidedStrategy(const ModelGuidedOptions &Options) {
  return std::make_unique<ModelGuidedStrategy>(Options);
}

} // namespace gpuprune
