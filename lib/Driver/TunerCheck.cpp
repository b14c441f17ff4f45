//===- TunerCheck.cpp - The phase that checks on the CPU ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Search/Pareto.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

bool Tuner::checksOnCpu() const {
  return Options.Check != CheckMode::Off && Options.StopAfter >= Phase::Check;
}

void Tuner::beginChecks(ArrayRef<size_t> Rows, CheckDepth Depth, CheckTurn Turn) {
  if (!checksOnCpu())
    return;
  if (!Checks) {
    CheckQueue::StepFunction OnStep;
    if (MeasuresBeside)
      OnStep = [this](size_t Done, size_t Added) {
        Shown.beside(phaseName(Phase::Measure), formatv("checked {0}/{1}", Done, Added).str());
      };
    Checks = std::make_unique<CheckQueue>(*Oracle, Options.Jobs, MeasuresBeside, std::move(OnStep));
  }
  for (size_t Row : Rows)
    if (const BuiltVariant *Reference = referenceOf(Variants[Row]))
      Checks->add(Row, Variants[Row], *Reference, Depth, Report.Variants[Row], Turn);
}

/// Waits for the check of \p Row, which there is, and writes down what it found; null where nothing is known
/// at the deadline.
const VariantResult *Tuner::takeCheck(size_t Row, std::optional<Budget::Clock::time_point> Deadline) {
  const VariantResult *Found = Checks->await(Row, Deadline);
  if (!Found)
    return nullptr;
  VariantResult &Known = Report.Variants[Row];
  Known.OnCpu = Found->OnCpu;
  if (!Found->canRun()) {
    FoundWrong |= Known.canRun();
    Known.Status = Found->Status;
    Known.Message = Found->Message;
  }
  return Found;
}

/// The same where there is a check; whether the variant may be measured, which it may not where nothing is
/// known. Where it is wrong, its twins by machine code are checked in its place, until one is right.
bool Tuner::settleCheck(size_t Row, std::optional<Budget::Clock::time_point> Deadline) {
  if (!Checks || !Checks->has(Row))
    return Report.Variants[Row].canRun();
  const VariantResult *Found = takeCheck(Row, Deadline);
  bool MayRun = Found && Report.Variants[Row].canRun();
  while (Found && !Found->canRun()) {
    std::optional<size_t> Next = releaseTwins(Report, Found->Variant);
    if (!Next || !Report.Variants[*Next].canRun())
      break;
    beginChecks(*Next, checkDepth());
    Found = Checks->has(*Next) ? takeCheck(*Next, Deadline) : nullptr;
  }
  return MayRun;
}

/// The same for \p Rows, as a phase: those that may be measured.
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
  for (size_t Row = 0; Row != Variants.size(); ++Row)
    settleCheck(Row);
  noteChecks();
}

/// The same of those that are done by now; whether these are all.
bool Tuner::settleDoneChecks() {
  bool AreAll = true;
  for (size_t Row = 0; Checks && Row != Variants.size(); ++Row)
    if (Checks->isSettled(Row))
      settleCheck(Row);
    else
      AreAll = false;
  noteChecks();
  return AreAll;
}

/// Who is on the Pareto set depends on it.
void Tuner::noteChecks() {
  if (!Checks)
    return;
  Report.CheckCpuMs += Checks->takeCpuMs();
  copyTwins(Report);
  if (std::exchange(FoundWrong, false))
    markPareto(Report.Variants, pruning().Pareto);
}

CheckDepth Tuner::checkDepth() const {
  bool Few = Options.Check == CheckMode::Quick || Options.Check == CheckMode::Off;
  return Few ? CheckDepth::Smallest : Options.Check == CheckMode::All ? CheckDepth::All : CheckDepth::Usual;
}

/// What the strategy wants next and the CPU finds nothing wrong with.
std::vector<size_t> Tuner::nextCheckedBatch() {
  if (!checksOnCpu())
    return Chooser->next(Report);
  std::vector<size_t> Right;
  // Where a variant is wrong, those that only it kept off the set come next.
  for (std::vector<size_t> Batch = Chooser->next(Report); !Batch.empty(); Batch = Chooser->next(Report)) {
    beginChecks(Batch, checkDepth());
    append_range(Right, settleChecksOf(Batch));
  }
  return Right;
}

/// Of all distinct variants that can run and are not checked yet: their rows.
std::vector<size_t> Tuner::beginRest() {
  std::vector<size_t> Rest;
  if (!checksOnCpu() || Limit->assemblingOver())
    return Rest;
  for (const auto &[Index, Row] : llvm::enumerate(Report.Variants))
    if (Row.canRun() && (!Checks || !Checks->has(Index)))
      Rest.push_back(Index);
  beginChecks(Rest, Options.Check == CheckMode::All ? CheckDepth::All : CheckDepth::Smallest,
              CheckTurn::Later);
  return Rest;
}

/// What to measure first; the checks of that, which is the result, come before the rest.
std::vector<size_t> Tuner::checkPhase() {
  std::vector<size_t> Batch = nextCheckedBatch();
  if (std::vector<size_t> Rest = beginRest(); !Rest.empty())
    settleChecksOf(Rest);
  settleChecks();
  return Batch;
}

/// Where nothing is measured: of what would have been, and of the rest.
void Tuner::beginAllChecks() {
  beginChecks(Chooser->next(Report), checkDepth());
  beginRest();
}

} // namespace gpuprune
