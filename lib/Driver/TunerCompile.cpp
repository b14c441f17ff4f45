//===- TunerCompile.cpp - From variants to cubins -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ResultJoin.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Search/Alone.h"
#include "gpuprune/Search/SpreadOrder.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

/// Where cubins, and what belongs to them, are written.
StringRef Tuner::cubinFolder() const {
  return Options.BundleDirectory.empty() ? CubinHome->path() : StringRef(Options.BundleDirectory);
}

/// What runs before the tuned launch, of a sequence.
Error Tuner::buildEarlier() {
  if (Target.W.Launches.size() == 1 || Options.StopAfter <= Phase::Enumerate)
    return Error::success();
  StringRef Folder = Options.StopAfter >= Phase::Assemble ? cubinFolder() : "";
  return EarlierLaunches::build(Target, Kept.get(), Folder).moveInto(Earlier);
}

/// What all others are compared with, before them.
Error Tuner::buildReferences() {
  double Before = processCpuMs();
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (BuiltVariant &V : References)
    Pool.async([this, &V] { Builder->compile(V); });
  Pool.wait();
  if (Options.StopAfter >= Phase::Assemble) {
    std::vector<BuiltVariant *> Live;
    for (BuiltVariant &V : References)
      if (V.alive())
        Live.push_back(&V);
    SmallString<128> Path = cubinFolder();
    sys::path::append(Path, "references.cubin");
    Builder->assembleBatch(Live, std::string(Path));
  }
  Report.Stock = stock().Row;
  ReferencesCpuMs = processCpuMs() - Before;
  return checkTools();
}

/// A tool that cannot be run is no property of the variants.
Error Tuner::checkTools() const {
  if (stock().FailedAs == ErrorKind::Toolchain || stock().FailedAs == ErrorKind::Io)
    return makeError(*stock().FailedAs, stock().Row.Message);
  return Error::success();
}

/// Before anything is compiled in vain: where the author's own launch is wrong, nothing can be right.
Error Tuner::checkAuthor() {
  if (!Oracle)
    return Error::success();
  Shown.begin(phaseName(Phase::Check), 1);
  Expected<std::vector<std::string>> Doubts = Oracle->checkAuthor(checkDepth());
  Shown.step();
  Shown.end();
  if (!Doubts)
    return Doubts.takeError();
  for (const std::string &Doubt : *Doubts)
    Shown.say("warning: " + Doubt);
  return Error::success();
}

/// Where not all may be built in time, or some are measured before all are built, so that any beginning is
/// a sample of the whole; the few that make one choice only come before the rest.
std::vector<BuiltVariant *> Tuner::buildOrder() {
  std::vector<size_t> Order(Variants.size());
  std::iota(Order.begin(), Order.end(), 0);
  if (Limit->isBounded() || MeasuresBeside) {
    Order = spreadOrder(partsOf(Variants));
  }
  if (Options.EachAlone && Limit->isBounded())
    std::stable_partition(Order.begin(), Order.end(), [&, Author = authorDefines(Target.W)](size_t I) {
      return !soleChoice(Variants[I].parts(), Author).empty();
    });
  std::vector<BuiltVariant *> InOrder;
  for (size_t I : Order)
    InOrder.push_back(&Variants[I]);
  std::vector<BuiltVariant *> InFamilies;
  for (const std::vector<BuiltVariant *> &Family : familiesOf(InOrder))
    append_range(InFamilies, Family);
  return InFamilies;
}

std::unique_ptr<BuildQueue> Tuner::makeBuildQueue() {
  BuildQueue::Plan Plan;
  Plan.Jobs = Options.Jobs;
  Plan.CubinFolder = cubinFolder().str();
  Plan.FirstNumber = References.size();
  Plan.KeepsTwins = Options.MeasureTwins;
  Plan.Limit = &*Limit;
  if (MeasuresBeside)
    Plan.OnStep = [this] {
      // Each variant is compiled, and most are assembled.
      Shown.beside(phaseName(Phase::Measure),
                   formatv("building {0}/{1}", ++BuildSteps, 2 * Variants.size()).str());
    };
  else
    Plan.OnStep = [this] { Shown.step(); };
  return std::make_unique<BuildQueue>(*Builder, std::move(Plan));
}

/// All of them, one phase after the other.
Error Tuner::build() {
  Building = makeBuildQueue();
  std::vector<BuiltVariant *> InOrder = buildOrder();
  Shown.begin(phaseName(Phase::CodeGen), InOrder.size());
  Building->compile(InOrder);
  Shown.end();
  if (Error E = checkSomethingIsLeft())
    return E;
  if (Options.StopAfter >= Phase::Assemble) {
    Shown.begin(phaseName(Phase::Assemble),
                count_if(InOrder, [](const BuiltVariant *V) { return V->alive() && !V->Row.isDuplicate(); }));
    Building->assemble(InOrder);
    Shown.end();
  }
  copyRows();
  prune(Report, pruning());
  noteBuilt();
  return Error::success();
}

/// All of them, while others are measured: see takeBuilt().
void Tuner::beginBuilding() {
  for (VariantResult &Row : Report.Variants)
    Row.Status = VariantStatus::Skipped; // Until it is built.
  Building = makeBuildQueue();
  Building->begin(buildOrder());
}

/// Puts what has been built since into its rows; whether that is all.
bool Tuner::takeBuilt() {
  bool IsAll = Building->isFinished();
  std::vector<BuiltVariant *> Built = Building->takeBuilt();
  Taken += Built.size();
  std::vector<BuiltRow> Rows;
  for (const BuiltVariant *V : Built)
    Rows.push_back({V->Index, V->Row});
  joinBuilt(Report, Rows, pruning());
  if (IsAll && !std::exchange(IsBuilt, true))
    noteBuilt();
  return IsAll;
}

/// Where there is nothing to measure with.
void Tuner::awaitBuilt() {
  if (!MeasuresBeside || takeBuilt())
    return;
  Shown.begin(phaseName(Phase::CodeGen), Variants.size());
  for (size_t Stepped = 0, MayBeMore = true; MayBeMore;) {
    MayBeMore = Building->awaitBuilt();
    takeBuilt();
    for (; Stepped != Taken; ++Stepped)
      Shown.step();
  }
  Shown.end();
}

/// Once all are built that will be.
void Tuner::noteBuilt() {
  // What the budget left no time for costs nothing.
  Report.Compiled =
      count_if(Variants, [](const BuiltVariant &V) { return V.Row.Status != VariantStatus::Skipped; });
  Report.CpuMsPerVariant =
      (ReferencesCpuMs + Building->cpuMs()) / double(Report.Compiled + References.size());
  noteBudget();
  noteKept();
}

} // namespace gpuprune
