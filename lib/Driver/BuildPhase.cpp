//===- BuildPhase.cpp - The phase that builds variants --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BuildPhase.h"
#include "gpuprune/Driver/Phase.h"
#include "gpuprune/Search/Alone.h"
#include "gpuprune/Search/SpreadOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

std::vector<size_t> buildOrder(ArrayRef<Variant> Variants, ArrayRef<DefineSetting> Author,
                               const BuildOrderOptions &Options) {
  std::vector<size_t> Order(Variants.size());
  std::iota(Order.begin(), Order.end(), 0);
  if (Options.Spread)
    Order = spreadOrder(Variants);
  if (Options.SoleChoicesFirst)
    std::stable_partition(Order.begin(), Order.end(),
                          [&](size_t I) { return !soleChoice(Variants[I], Author).empty(); });
  return Order;
}

BuildPhase::BuildPhase(TuneReport &Report, MutableArrayRef<BuiltVariant> Variants,
                       const VariantBuilder &Builder, const Budget &Limit, Progress &Shown, Settings Asked)
    : Report(Report), Variants(Variants), Shown(Shown), Asked(std::move(Asked)), Begun(Variants.size()),
      Queue(Builder, plan(Limit)) {
  std::vector<BuiltVariant *> Ordered;
  for (size_t I : buildOrder(partsOf(Variants), Report.AuthorDefines, this->Asked.Order))
    Ordered.push_back(&Variants[I]);
  for (const std::vector<BuiltVariant *> &Family : familiesOf(Ordered))
    append_range(InOrder, Family);
}

BuildQueue::Plan BuildPhase::plan(const Budget &Limit) {
  BuildQueue::Plan Plan;
  Plan.Jobs = Asked.Jobs;
  Plan.CubinFolder = Asked.CubinFolder;
  Plan.FirstNumber = Asked.References;
  Plan.KeepsTwins = Asked.KeepsTwins;
  Plan.Limit = &Limit;
  if (Asked.IsBeside)
    Plan.OnStep = [this] {
      // Each variant is compiled, and most are assembled.
      Shown.beside(phaseName(Phase::Measure),
                   formatv("building {0}/{1}", ++Steps, 2 * std::min(Variants.size(), Asked.AtMost)).str());
    };
  else
    Plan.OnStep = [this] { Shown.step(); };
  return Plan;
}

void BuildPhase::compile(ArrayRef<BuiltVariant *> Some) {
  Shown.begin(phaseName(Phase::CodeGen), Some.size());
  Queue.compile(Some);
  Shown.end();
}

void BuildPhase::assemble(ArrayRef<BuiltVariant *> Some) {
  if (!Asked.Assembles)
    return;
  Shown.begin(phaseName(Phase::Assemble),
              count_if(Some, [](const BuiltVariant *V) { return V->alive() && !V->Row.isDuplicate(); }));
  Queue.assemble(Some);
  Shown.end();
}

void BuildPhase::compile() { compile(InOrder); }

std::vector<BuiltVariant *> BuildPhase::portionOf(ArrayRef<size_t> Rows) {
  std::vector<BuiltVariant *> Portion;
  for (size_t Row : Rows) {
    Begun.set(Row);
    Portion.push_back(&Variants[Row]);
  }
  return Portion;
}

void BuildPhase::build(ArrayRef<size_t> Rows) {
  std::vector<BuiltVariant *> Some = portionOf(Rows);
  compile(Some);
  assemble(Some);
  for (size_t Row : Rows)
    Report.Variants[Row] = Variants[Row].Row;
}

void BuildPhase::finish(StringRef WhyNot) {
  for (BuiltVariant &V : Variants)
    if (!Begun[V.Index]) {
      V.Row.Status = VariantStatus::Skipped;
      V.Row.Message = WhyNot;
      Report.Variants[V.Index] = V.Row;
    }
  prune(Report, Asked.Pruning);
  noteCost();
}

void BuildPhase::assemble() {
  assemble(InOrder);
  for (const auto &[Row, V] : zip_equal(Report.Variants, Variants))
    Row = V.Row;
  prune(Report, Asked.Pruning);
  noteCost();
}

void BuildPhase::begin() {
  for (VariantResult &Row : Report.Variants)
    Row.Status = VariantStatus::Skipped; // Until it is built.
  if (Asked.NextPortion)
    beginPortion();
  else
    Queue.begin(InOrder);
}

/// Whether there is one.
bool BuildPhase::beginPortion() {
  BuildPortion Next = Asked.NextPortion();
  if (Next.Rows.empty()) {
    finish(Next.WhyNoMore);
    return false;
  }
  Queue.begin(portionOf(Next.Rows));
  return true;
}

bool BuildPhase::takeBuilt() {
  bool IsAll = Queue.isFinished();
  std::vector<BuiltVariant *> Built = Queue.takeBuilt();
  Taken += Built.size();
  std::vector<BuiltRow> Rows;
  std::vector<size_t> Indices;
  for (const BuiltVariant *V : Built) {
    Rows.push_back({V->Index, V->Row});
    Indices.push_back(V->Index);
  }
  joinBuilt(Report, Rows, Asked.Pruning);
  if (!Indices.empty())
    Asked.OnTaken(Indices);
  if (!IsAll || IsBuilt)
    return IsAll;
  if (Asked.NextPortion && beginPortion())
    return false;
  IsBuilt = true;
  noteCost();
  return true;
}

void BuildPhase::awaitAll() {
  if (takeBuilt())
    return;
  Shown.begin(phaseName(Phase::CodeGen), std::min(Variants.size(), Asked.AtMost));
  size_t Stepped = 0;
  for (bool IsAll = false; !IsAll;) {
    Queue.awaitBuilt();
    IsAll = takeBuilt();
    for (; Stepped != Taken; ++Stepped)
      Shown.step();
  }
  Shown.end();
}

/// What the budget left no time for costs nothing.
void BuildPhase::noteCost() {
  Report.Compiled =
      count_if(Variants, [](const BuiltVariant &V) { return V.Row.Status != VariantStatus::Skipped; });
  Report.CpuMsPerVariant =
      (Asked.ReferencesCpuMs + Queue.cpuMs()) / double(Report.Compiled + Asked.References);
}

} // namespace gpuprune
