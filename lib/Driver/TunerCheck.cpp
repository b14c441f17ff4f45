//===- TunerCheck.cpp - The phase that checks on the CPU ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

bool Tuner::checksOnCpu() const {
  return Options.Check != CheckMode::Off && Options.StopAfter >= Phase::Check;
}

CheckDepth Tuner::checkDepth() const {
  bool Few = Options.Check == CheckMode::Quick || Options.Check == CheckMode::Off;
  return Few ? CheckDepth::Smallest : Options.Check == CheckMode::All ? CheckDepth::All : CheckDepth::Usual;
}

void Tuner::openChecks() {
  if (!checksOnCpu())
    return;
  CheckQueue::StepFunction OnStep;
  if (MeasuresBeside)
    OnStep = [this](size_t Done, size_t Added) {
      Shown.beside(phaseName(Phase::Measure), formatv("checked {0}/{1}", Done, Added).str());
    };
  Checks.emplace(
      Report, Variants,
      [this](const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth, VariantResult &Row) {
        Oracle->check(V, Reference, Depth, Row);
      },
      [this](const BuiltVariant &V) { return referenceOf(V); },
      RowChecks::Settings{checkDepth(), Options.Jobs, MeasuresBeside, pruning().Pareto}, std::move(OnStep));
}

void Tuner::beginChecks(ArrayRef<size_t> Rows) {
  if (Checks)
    Checks->begin(Rows, checkDepth());
}

/// Whether the variant may be measured.
bool Tuner::settleCheck(size_t Row, RowChecks::Deadline Until) {
  return Checks ? Checks->settle(Row, Until) : Report.Variants[Row].canRun();
}

/// Waits for the checks of \p Rows, as a phase: those that may be measured.
std::vector<size_t> Tuner::settleChecksOf(ArrayRef<size_t> Rows) {
  std::vector<size_t> Right;
  Shown.begin(phaseName(Phase::Check), Rows.size());
  for (size_t Row : Rows) {
    if (settleCheck(Row))
      Right.push_back(Row);
    Shown.step();
  }
  Shown.end();
  return Right;
}

/// The same for all that were asked for, where nothing is measured.
void Tuner::awaitChecks() {
  if (!Checks)
    return;
  std::vector<size_t> Rows;
  for (size_t Row = 0; Row != Variants.size(); ++Row)
    if (Checks->has(Row))
      Rows.push_back(Row);
  settleChecksOf(Rows);
  settleChecks();
}

/// The same without a phase.
void Tuner::settleChecks() {
  if (!Checks)
    return;
  if (Limit->measuringOver(Final.expectedMs()))
    Checks->drop();
  Checks->settleAll();
}

/// The same of those that are done by now; whether these are all.
bool Tuner::settleDoneChecks() { return !Checks || Checks->settleDone(); }

/// What the strategy wants next and the CPU finds nothing wrong with.
std::vector<size_t> Tuner::nextCheckedBatch() {
  if (!Checks)
    return Chooser->next(Report);
  std::vector<size_t> Right;
  // Where a variant is wrong, those that only it kept off the set come next.
  for (std::vector<size_t> Batch = Chooser->next(Report); !Batch.empty(); Batch = Chooser->next(Report)) {
    beginChecks(Batch);
    append_range(Right, settleChecksOf(Batch));
  }
  return Right;
}

/// Whether variants that are not measured are checked, too, although others are.
bool Tuner::checksRest() const { return Options.Check != CheckMode::Staged; }

/// The same while others are measured.
bool Tuner::checksRestBeside() const { return MeasuresBeside && checksRest(); }

/// Of all that were not asked for, where there is time: their rows.
std::vector<size_t> Tuner::beginRest() {
  if (!Checks || Limit->assemblingOver())
    return {};
  return Checks->beginRest(Options.Check == CheckMode::All ? CheckDepth::All : CheckDepth::Smallest);
}

/// What to measure first; the checks of that, which is the result, come before the rest.
std::vector<size_t> Tuner::checkPhase() {
  std::vector<size_t> Batch = nextCheckedBatch();
  if (!Measures || checksRest())
    settleChecksOf(beginRest());
  settleChecks();
  return Batch;
}

/// Where nothing is measured: of what would have been, and of the rest.
void Tuner::beginAllChecks() {
  beginChecks(Chooser->next(Report));
  beginRest();
}

} // namespace gpuprune
