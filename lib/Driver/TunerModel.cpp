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

Error checkStrategy(const TuneOptions &Options) {
  if (Options.BuildAtMost && !asksModelledTimes(Options.Kind))
    return makeError(ErrorKind::Usage,
                     "--build-at-most: modelled times tell what to build, those of --strategy=model, "
                     "model-guided and model-pareto");
  if (!asksModel(Options.Kind))
    return Error::success();
  std::string Asked = ("--strategy=" + searchKindName(Options.Kind)).str();
  if (Options.Exhaustive)
    return makeError(
        ErrorKind::Usage,
        formatv("{0} and --exhaustive: where all variants are measured, none are chosen", Asked));
  if (asksModelledTimes(Options.Kind) && !Options.BundleDirectory.empty() &&
      Options.StopAfter != Phase::Frontend)
    return makeError(ErrorKind::Usage,
                     formatv("{0} and --bundle: what is measured is not known beforehand", Asked));
  return Error::success();
}

Error Tuner::checkRates() const {
  if (!asksModel() || Options.Kind == SearchKind::ModelGuided) // Which does without.
    return Error::success();
  return findRates(Target.Device->Arch).takeError();
}

Budget::Then Tuner::afterCompiling(bool MeasuresAtOnce) const {
  if (asksModel() && Options.StopAfter >= Phase::Prune) {
    if (!Measures)
      return Budget::Then::Modelling;
    return MeasuresAtOnce ? Budget::Then::ModellingAndMeasuring : Budget::Then::ModellingAndMeasuringApart;
  }
  if (MeasuresBeside)
    return Budget::Then::MeasuringBeside;
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
  if (asksCycles(Options.Kind))
    // That the device has rates was checked.
    Asked.Schedule = [this, Latency = cantFail(averageLatency(Compared.stock(), *Builder, Target))](
                         const BuiltVariant &V) { return scheduleVariant(V, Latency, *Target.Device); };
  else
    Asked.Model = [this](const BuiltVariant &V) { return modelVariant(V, *Builder, Target); };
  return ModelPhase(Report, Variants, Compared.stock(), *Limit, Shown, std::move(Asked));
}

void Tuner::modelAll() {
  BuildOrderOptions Order;
  Order.Spread = Limit->isBounded();
  NotModelled = modelling().run(buildOrder(partsOf(Variants), Report.AuthorDefines, Order));
  noteBudget();
}

bool Tuner::buildsByModel() const {
  if (!asksModelledTimes(Options.Kind) || Options.StopAfter < Phase::Prune)
    return false;
  bool HasRates = !errorToBool(findRates(Target.Device->Arch).takeError());
  return HasRates && buildAtMost() != 0 && Variants.size() > buildAtMost();
}

Error Tuner::buildByModel() {
  PortionChooser Chooser(partsOf(Variants), buildAtMost());
  ModelPhase Modelling = modelling();
  size_t Chosen = 0;
  bool IsOver = false;
  for (std::vector<size_t> Portion; !(Portion = Chooser.next(Report.Variants)).empty();) {
    IsOver = Limit->compilingOver();
    if (IsOver)
      break;
    Building->build(Portion);
    NotModelled += Modelling.run(Portion);
    Chosen += Portion.size();
  }
  std::string WhyNot = formatv("not compiled: the budget of {0} s left no time for it", Limit->seconds());
  if (!IsOver) {
    NotWanted = Variants.size() - Chosen;
    WhyNot = "not compiled: --build-at-most leaves it out, as the modelled times of others say";
  }
  Building->finish(WhyNot);
  if (Error E = checkSomethingIsLeft())
    return E;
  if (Report.Compiled)
    Report.BuildNote = formatv(
        "{0} of {1} variants, chosen by the modelled times of those before; --build-at-most=0 builds all",
        Report.Compiled, Variants.size());
  noteBudget();
  noteKept();
  return Error::success();
}

} // namespace gpuprune
