//===- CheckPhase.cpp - The phase that checks on the CPU ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/CheckPhase.h"
#include "gpuprune/Driver/Phase.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

CheckDepth checkDepth(CheckMode Mode) {
  bool Few = Mode == CheckMode::Quick || Mode == CheckMode::Off;
  return Few ? CheckDepth::Smallest : Mode == CheckMode::All ? CheckDepth::All : CheckDepth::Usual;
}

void CheckPhase::begin(ArrayRef<size_t> Rows) {
  if (Checks)
    Checks->begin(Rows, checkDepth(Asked.Mode));
}

std::vector<size_t> CheckPhase::beginRest() {
  if (!Checks || Limit.assemblingOver())
    return {};
  return Checks->beginRest(Asked.Mode == CheckMode::All ? CheckDepth::All : CheckDepth::Smallest);
}

bool CheckPhase::settle(size_t Row, RowChecks::Deadline Until) {
  return Checks ? Checks->settle(Row, Until) : Report.Variants[Row].canRun();
}

/// Those of \p Rows that may be measured.
std::vector<size_t> CheckPhase::settleAsPhase(ArrayRef<size_t> Rows) {
  std::vector<size_t> Right;
  Shown.begin(phaseName(Phase::Check), Rows.size());
  for (size_t Row : Rows) {
    if (settle(Row))
      Right.push_back(Row);
    Shown.step();
  }
  Shown.end();
  return Right;
}

void CheckPhase::settleAll(double FinalMs) {
  if (!Checks)
    return;
  if (Limit.measuringOver(FinalMs))
    Checks->drop();
  Checks->settleAll();
}

/// What the strategy wants next and the CPU finds nothing wrong with.
std::vector<size_t> CheckPhase::nextRightBatch() {
  if (!Checks)
    return Chooser.next(Report);
  std::vector<size_t> Right;
  // Where a variant is wrong, those that only it kept off the set come next.
  for (std::vector<size_t> Batch = Chooser.next(Report); !Batch.empty(); Batch = Chooser.next(Report)) {
    begin(Batch);
    append_range(Right, settleAsPhase(Batch));
  }
  return Right;
}

std::vector<size_t> CheckPhase::runFirst(bool WithRest) {
  std::vector<size_t> Batch = nextRightBatch();
  if (WithRest)
    settleAsPhase(beginRest());
  settleAll(/*FinalMs=*/0);
  return Batch;
}

void CheckPhase::runAll() {
  begin(Chooser.next(Report));
  beginRest();
  if (!Checks)
    return;
  std::vector<size_t> Rows;
  for (size_t Row = 0; Row != Report.Variants.size(); ++Row)
    if (Checks->has(Row))
      Rows.push_back(Row);
  settleAsPhase(Rows);
  settleAll(/*FinalMs=*/0);
}

} // namespace gpuprune
