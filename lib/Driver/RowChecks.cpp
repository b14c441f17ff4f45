//===- RowChecks.cpp - What the CPU finds of a run's rows -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/RowChecks.h"
#include "ResultJoin.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

RowChecks::RowChecks(TuneReport &Report, ArrayRef<BuiltVariant> Variants, CheckQueue::CheckFunction Check,
                     ReferenceFunction ReferenceOf, const Settings &Asked, CheckQueue::StepFunction OnStep)
    : Report(Report), Variants(Variants), ReferenceOf(std::move(ReferenceOf)), Asked(Asked),
      Queue(std::move(Check), Asked.Jobs, Asked.Behind, std::move(OnStep)) {}

void RowChecks::begin(ArrayRef<size_t> Rows, CheckDepth Depth, CheckTurn Turn) {
  for (size_t Row : Rows)
    if (const BuiltVariant *Reference = ReferenceOf(Variants[Row]))
      Queue.add(Row, Variants[Row], *Reference, Depth, Report.Variants[Row], Turn);
}

std::vector<size_t> RowChecks::beginRest(CheckDepth Depth) {
  std::vector<size_t> Rest;
  for (const auto &[Index, Row] : enumerate(Report.Variants))
    if (Row.canRun() && !Queue.has(Index))
      Rest.push_back(Index);
  begin(Rest, Depth, CheckTurn::Later);
  return Rest;
}

/// Waits for the check of \p Row, which there is, and writes down what it found; null where nothing is known
/// at the deadline.
const VariantResult *RowChecks::take(size_t Row, Deadline Until) {
  const VariantResult *Found = Queue.await(Row, Until);
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

bool RowChecks::settle(size_t Row, Deadline Until) {
  if (!Queue.has(Row))
    return Report.Variants[Row].canRun();
  const VariantResult *Found = take(Row, Until);
  bool MayRun = Found && Report.Variants[Row].canRun();
  while (Found && !Found->canRun()) {
    std::optional<size_t> Next = releaseTwins(Report, Row);
    if (!Next || !Report.Variants[*Next].canRun())
      break;
    Row = *Next;
    begin(Row, Asked.Depth);
    Found = Queue.has(Row) ? take(Row, Until) : nullptr;
  }
  return MayRun;
}

void RowChecks::settleAll() {
  for (size_t Row = 0; Row != Variants.size(); ++Row)
    settle(Row);
  note();
}

bool RowChecks::settleDone() {
  bool AreAll = true;
  for (size_t Row = 0; Row != Variants.size(); ++Row)
    if (Queue.isSettled(Row))
      settle(Row);
    else
      AreAll = false;
  note();
  return AreAll;
}

/// Twins follow, and who is on the Pareto set depends on what was wrong.
void RowChecks::note() {
  Report.CheckCpuMs += Queue.takeCpuMs();
  copyTwins(Report);
  if (std::exchange(FoundWrong, false))
    markPareto(Report.Variants, Asked.Pareto);
}

} // namespace gpuprune
