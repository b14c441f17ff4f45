//===- ModelGuided.cpp - Measuring in the order of a model -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/Family.h"
#include "gpuprune/Search/ModelCorrection.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/DenseSet.h"
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
  /// Of so many families the first to begin with; and of so many more, spread over the order.
  static constexpr size_t FirstFamilies = 5, SpreadFamilies = 2;
  /// At a time then: the order of the next depends on their times.
  static constexpr size_t AtATime = 2;

  ModelGuidedOptions Options;
  std::unique_ptr<Strategy> OfRest;
  std::string Why;
  Families FamilyNumbers;
  std::optional<double> BestWhenAsked; ///< The fastest before the last batch.
  bool HasBegun = false;

  /// A variant that is not measured.
  struct Candidate {
    size_t Row;
    double ExpectedMs;
  };
  /// Those that are expected to be fastest first.
  struct Candidates {
    std::vector<Candidate> OfNew;   ///< The first of each family of which none was measured.
    std::vector<Candidate> OfKnown; ///< All of the others.
  };
  /// What is known of the rows that the model ranks.
  struct Knowledge {
    std::vector<TimedModel> Timed;
    std::vector<size_t> Left; ///< Rows without a time,
    std::vector<size_t> All;  ///< and with those that have one.
    double BestMs = std::numeric_limits<double>::infinity();
    bool HasPending = false; ///< Some were asked for and have no result.
  };

  static bool isRanked(const VariantResult &Row) {
    return Row.Modelled.Ms && Row.Modelled.Bound && Row.mayWin();
  }

  Knowledge look(ArrayRef<VariantResult> Rows, RowFilter Among) {
    Knowledge Known;
    for (const auto &[Index, Row] : enumerate(Rows)) {
      if ((Among && !Among(Index)) || Row.isDuplicate() || !isRanked(Row))
        continue;
      bool IsTimed = Row.OnGpu.MedianMs && *Row.OnGpu.MedianMs > 0;
      if (IsTimed && (Row.isGood() || Row.Status == VariantStatus::Slow))
        Known.Timed.push_back(
            {*Row.Modelled.Bound, *Row.Modelled.Ms, *Row.OnGpu.MedianMs, FamilyNumbers.of(Rows, Index)});
      if (IsTimed && Row.isGood())
        Known.BestMs = std::min(Known.BestMs, *Row.OnGpu.MedianMs);
      if (IsTimed || Row.canRun())
        Known.All.push_back(Index);
      if (IsTimed || !Row.canRun())
        continue;
      if (wasAsked(Index))
        Known.HasPending = true;
      else
        Known.Left.push_back(Index);
    }
    return Known;
  }

  /// Of equals the one that the metrics promise more of comes first.
  Candidates inOrder(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Of, const ModelCorrection &Correction) {
    std::vector<Candidate> All;
    for (size_t Row : Of)
      All.push_back({Row, Correction.expectedMs(FamilyNumbers.of(Rows, Row), *Rows[Row].Modelled.Bound,
                                                *Rows[Row].Modelled.Ms)});
    llvm::sort(All, [&](const Candidate &A, const Candidate &B) {
      return std::tuple(A.ExpectedMs, -promise(Rows[A.Row]), A.Row) <
             std::tuple(B.ExpectedMs, -promise(Rows[B.Row]), B.Row);
    });
    Candidates Result;
    DenseSet<size_t> Seen;
    for (const Candidate &C : All) {
      size_t Family = FamilyNumbers.of(Rows, C.Row);
      if (Correction.knows(Family))
        Result.OfKnown.push_back(C);
      else if (Seen.insert(Family).second)
        Result.OfNew.push_back(C);
    }
    return Result;
  }

  /// Drops those of \p Ordered that cannot be faster than the fastest by more than the margin.
  void keepPromising(std::vector<Candidate> &Ordered, bool AreOfKnown, const Knowledge &Known,
                     const ModelCorrection &Correction) const {
    std::optional<double> Least = Correction.leastRatio(AreOfKnown, Options.Confidence);
    if (!Least || std::isinf(Known.BestMs))
      return;
    erase_if(Ordered, [&](const Candidate &C) {
      return C.ExpectedMs * *Least >= Known.BestMs * (1 - Options.Margin);
    });
  }

  /// Of families of which none was measured, as long as there are any.
  static std::vector<size_t> firstOf(const Candidates &From) {
    std::vector<size_t> First;
    for (ArrayRef<Candidate> Some : {ArrayRef(From.OfNew), ArrayRef(From.OfKnown)})
      for (const Candidate &C : Some.take_front(AtATime - First.size()))
        First.push_back(C.Row);
    return First;
  }

  /// That of \p Of which is modelled fastest where warps queue; nothing where none has such a time.
  static std::optional<size_t> bestQueued(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Of) {
    std::optional<size_t> Best;
    for (size_t Row : Of)
      if (Rows[Row].Modelled.QueuedMs &&
          (!Best || *Rows[Row].Modelled.QueuedMs < *Rows[*Best].Modelled.QueuedMs))
        Best = Row;
    return Best;
  }

  /// The best families, the best by the other modelled time, and to know how wrong the model is where it
  /// likes nothing, others: that of the source as written, and some that are spread over the order. The same,
  /// less what has a time, where some have.
  std::vector<size_t> beginning(ArrayRef<VariantResult> Rows, const Knowledge &Known) {
    std::vector<Candidate> Firsts = inOrder(Rows, Known.All, ModelCorrection({})).OfNew;
    ArrayRef<Candidate> OfFamilies = Firsts;
    std::vector<size_t> First;
    auto Add = [&](size_t Row) {
      if (!is_contained(First, Row))
        First.push_back(Row);
    };
    for (const Candidate &C : OfFamilies.take_front(FirstFamilies))
      Add(C.Row);
    if (std::optional<size_t> Queued = bestQueued(Rows, Known.All))
      Add(*Queued);
    const auto *Plain =
        find_if(OfFamilies, [&](const Candidate &C) { return familyOf(Rows[C.Row].Parts).Pipeline.empty(); });
    if (Plain != OfFamilies.end())
      Add(Plain->Row);
    for (size_t I = 1; I <= SpreadFamilies && !OfFamilies.empty(); ++I)
      Add(OfFamilies[I * OfFamilies.size() / (SpreadFamilies + 1)].Row);
    erase_if(First, [&](size_t Row) { return !is_contained(Known.Left, Row); });
    return First;
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
    if (Known.All.empty()) {
      explain(0, 0);
      return Result;
    }
    if (!std::exchange(HasBegun, true)) {
      std::vector<size_t> First = beginning(Rows, Known);
      append_range(Result, First);
      if (!First.empty())
        return Result;
    }
    ModelCorrection Correction(Known.Timed);
    Candidates All = inOrder(Rows, Known.Left, Correction);
    Candidates Promising = All;
    keepPromising(Promising.OfNew, /*AreOfKnown=*/false, Known, Correction);
    keepPromising(Promising.OfKnown, /*AreOfKnown=*/true, Known, Correction);
    std::vector<size_t> Next = firstOf(Promising);
    // Where the order is wrong, residuals have a trend, and the next are not like those before.
    if (Next.empty() && BestWhenAsked && Known.BestMs < *BestWhenAsked * (1 - Options.Margin))
      Next = firstOf(All);
    BestWhenAsked = Known.BestMs;
    append_range(Result, Next);
    if (Next.empty())
      explain(Known.Timed.size(), Known.Left.size());
    return Result;
  }
};

} // namespace

std::unique_ptr<Strategy> makeModelGuidedStrategy(const ModelGuidedOptions &Options) {
  return std::make_unique<ModelGuidedStrategy>(Options);
}

} // namespace gpuprune
