//===- TunerModel.cpp - A tuning run that asks the model -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ModelPhase.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Model/Rates.h"
#include "gpuprune/Model/SpeedOfLight.h"
#include "gpuprune/Variant/SameProgram.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

SearchKind strategyOf(const TuneOptions &Options) {
  bool MayAskModel = Options.StopAfter >= Phase::Measure && Options.BundleDirectory.empty() &&
                     !Options.Exhaustive && Options.Variants.empty() && Options.EachAlone.value_or(0) == 0;
  return Options.Kind.value_or(MayAskModel ? SearchKind::ModelGuided : SearchKind::Search);
}

Error checkStrategy(const TuneOptions &Options) {
  SearchKind Kind = strategyOf(Options);
  if (Options.BuildAtMost && !asksModelledTimes(Kind))
    return makeError(
        ErrorKind::Usage,
        "--build-at-most: modelled times tell what to build, those of --strategy=model, "
        "model-guided (the default of tune, and of survey with --measure-alone=0) and model-pareto");
  if (Options.BuildAtMost && !Options.Variants.empty())
    return makeError(ErrorKind::Usage, "--build-at-most and --variant: what is asked for is built");
  if (Options.BuildAtMost && Options.StopAfter < Phase::Prune)
    return makeError(ErrorKind::Usage,
                     "--build-at-most and --stop-after: nothing is modelled before the phase prune");
  if (!asksModel(Kind))
    return Error::success();
  std::string Asked = ("--strategy=" + searchKindName(Kind)).str();
  if (Options.Exhaustive)
    return makeError(
        ErrorKind::Usage,
        formatv("{0} and --exhaustive: where all variants are measured, none are chosen", Asked));
  if (asksModelledTimes(Kind) && !Options.BundleDirectory.empty() && Options.StopAfter != Phase::Frontend)
    return makeError(ErrorKind::Usage,
                     formatv("{0} and --bundle: what is measured is not known beforehand", Asked));
  return Error::success();
}

Error Tuner::checkRates() const {
  if (!asksModel() || (Kind == SearchKind::ModelGuided && !Options.BuildAtMost)) // Which does without.
    return Error::success();
  return findRates(Target.Device->Arch).takeError();
}

bool Tuner::hasRates() const { return !errorToBool(findRates(Target.Device->Arch).takeError()); }

/// What a launch of a sequence finds is what the launches before it leave, which the model does not know.
std::string Tuner::whyNotByModel() const {
  if (!hasRates())
    return std::string("by the metrics, since no rates are known of ") + Target.Device->Arch;
  if (Target.W.isSequence())
    return "by the metrics, since what the launches before this one leave is not modelled; "
           "--strategy=model-guided models it with the workload's data";
  return "";
}

/// Where nobody has said what searches, and the model cannot.
void Tuner::settleStrategy() {
  if (Options.Kind || Kind != SearchKind::ModelGuided)
    return;
  WhyByMetrics = whyNotByModel();
  if (WhyByMetrics.empty())
    return;
  Options.Kind = Kind = SearchKind::Search;
  if (!Target.W.isSequence() || !Options.BuildAtMost)
    return;
  // The launches before this one have heeded it.
  Shown.warn("warning: --build-at-most: this launch is searched " + WhyByMetrics);
  Options.BuildAtMost.reset();
}

Budget::Then Tuner::afterCompiling(bool MeasuresAtOnce) const {
  if (MeasuresBeside)
    return asksModel() ? Budget::Then::ModellingAndMeasuringBeside : Budget::Then::MeasuringBeside;
  if (asksModel() && Options.StopAfter >= Phase::Prune) {
    if (!Measures)
      return Budget::Then::Modelling;
    return MeasuresAtOnce ? Budget::Then::ModellingAndMeasuring : Budget::Then::ModellingAndMeasuringApart;
  }
  if (!Measures)
    return Budget::Then::Nothing;
  return MeasuresAtOnce ? Budget::Then::Measuring : Budget::Then::MeasuringApart;
}

/// The clock that was read while \p Row was timed, or that of the device's row where none was.
static double clockOf(const VariantResult &Row, const ModelledTime &Time) {
  const Measurement &M = Row.OnGpu;
  return M.ClockMinMhz && M.ClockMaxMhz ? (*M.ClockMinMhz + *M.ClockMaxMhz) / 2.0 : Time.ClockGHz * 1e3;
}

void Tuner::noteSpeedOfLight() {
  std::optional<size_t> Best = Report.winner();
  bool IsShown = !Options.EachAlone; // A survey has a line for each kernel.
  if (!IsShown || !Best || !Variants[*Best].Code)
    return;
  // One line of the report is not worth a run on the CPU.
  Expected<ModelledTime> Time = modelVariant(Variants[*Best], *Builder, Target, IfUntraced::Refuse);
  if (Time)
    Report.Light = speedOfLight(*Time, clockOf(Report.Variants[*Best], *Time));
  else
    consumeError(Time.takeError()); // Nothing is told then; `explain` says why.
}

/// Under a budget in an order whose beginning is spread over the space.
ModelPhase Tuner::modelling() {
  ModelPhase::Settings Asked{Options.Jobs, nullptr, [this](const BuiltVariant &V) {
                               return V.Code->MachineCode.empty()
                                          ? ""
                                          : programKey(*Builder, V) + V.Code->MachineCode;
                             }};
  if (asksCycles(Kind))
    // That the device has rates was checked.
    Asked.Schedule = [this, Latency = cantFail(averageLatency(Compared.stock(), *Builder, Target))](
                         const BuiltVariant &V) { return scheduleVariant(V, Latency, *Target.Device); };
  else
    Asked.Model = [this](const BuiltVariant &V) { return modelVariant(V, *Builder, Target); };
  Asked.IsBeside = MeasuresBeside;
  return ModelPhase(Report, Variants, Compared.stock(), *Limit, Shown, std::move(Asked));
}

void Tuner::modelAll() {
  BuildOrderOptions Order;
  Order.Spread = Limit->isBounded();
  NotModelled = Modelling->run(buildOrder(partsOf(Variants), Report.AuthorDefines, Order));
  noteBudget();
}

bool Tuner::buildsByModel() const {
  return asksModelledTimes(Kind) && Options.StopAfter >= Phase::Prune && Options.Variants.empty() &&
         hasRates() && buildAtMost() != 0 && Variants.size() > buildAtMost();
}

/// Nothing of what is built is modelled: nothing tells what to leave out.
bool Tuner::knowsNoTimes() const {
  return none_of(Report.Variants, [](const VariantResult &Row) { return Row.Modelled.Ms.has_value(); });
}

BuildPortion Tuner::nextPortion() {
  if (!Portions)
    Portions.emplace(partsOf(Variants), buildAtMost());
  bool ByTimes = Portions->chosen() == 0 || !knowsNoTimes();
  bool IsOver = Limit->compilingOver(); // Then it is no wonder that no times are known.
  std::vector<size_t> Rows =
      ByTimes || IsOver || Options.BuildAtMost ? Portions->next(Report.Variants) : Portions->rest();
  NotWanted = Variants.size() - std::max(Portions->chosen(), buildAtMost());
  if (!Rows.empty() && IsOver)
    return {{}, formatv("not compiled: the budget of {0} s left no time for it", Limit->seconds())};
  IsBuiltAsWanted = Rows.empty();
  return {std::move(Rows),
          ByTimes ? "not compiled: --build-at-most leaves it out, as the modelled times of others say"
                  : "not compiled: --build-at-most leaves it out"};
}

Error Tuner::buildByModel() {
  BuildPortion Portion;
  while (!(Portion = nextPortion()).Rows.empty()) {
    Building->build(Portion.Rows);
    NotModelled += Modelling->run(Portion.Rows);
  }
  Building->finish(Portion.WhyNoMore);
  if (Error E = checkSomethingIsLeft())
    return E;
  noteBuilt();
  noteBudget();
  noteKept();
  return Error::success();
}

void Tuner::noteBuilt() {
  if (IsBuiltAsWanted && NotWanted && Report.Compiled)
    Report.BuildNote =
        formatv("{0} of {1} variants{2}; --build-at-most=0 builds all", Report.Compiled, Variants.size(),
                knowsNoTimes() ? "" : ", chosen by the modelled times of those before");
}

} // namespace gpuprune
