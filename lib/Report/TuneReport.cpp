//===- TuneReport.cpp - What a tuning run found -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/Search/Regret.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

bool isMeasured(const VariantResult &Row) { return Row.canRun() && Row.OnGpu.isTimed(); }

size_t TuneReport::distinct() const {
  return count_if(Variants, [](const VariantResult &R) { return !R.isDuplicate() && R.Registers; });
}

size_t TuneReport::paretoCount() const {
  return count_if(Variants, [](const VariantResult &R) { return !R.isDuplicate() && R.Pareto; });
}

bool TuneReport::hasAuthorDefines(const VariantResult &Row) const {
  return all_of(Row.Parts.Defines, [&](const DefineSetting &D) { return is_contained(AuthorDefines, D); });
}

std::optional<size_t> TuneReport::winner(bool AuthorOnly) const {
  if (std::optional<size_t> Final = finalWinner(AuthorOnly))
    return Final;
  std::optional<size_t> Best;
  for (size_t I = 0; I < Variants.size(); ++I) {
    const VariantResult &Row = Variants[I];
    if (!isMeasured(Row) || !Row.mayWin() || (AuthorOnly && !hasAuthorDefines(Row)))
      continue;
    if (!Best || *Row.OnGpu.MedianMs < *Variants[*Best].OnGpu.MedianMs)
      Best = I;
  }
  return Best;
}

void TuneReport::noteClock(const protocol::Clock &Seen) {
  if (!GpuClock) {
    GpuClock = Seen;
    return;
  }
  GpuClock->MinMhz = std::min(GpuClock->MinMhz, Seen.MinMhz);
  GpuClock->MaxMhz = std::max(GpuClock->MaxMhz, Seen.MaxMhz);
  GpuClock->MaxCelsius = std::max(GpuClock->MaxCelsius, Seen.MaxCelsius);
  GpuClock->MaxMilliwatts = std::max(GpuClock->MaxMilliwatts, Seen.MaxMilliwatts);
  for (const std::string &Limit : Seen.Limits)
    if (!is_contained(GpuClock->Limits, Limit))
      GpuClock->Limits.push_back(Limit);
}

/// A variant that the watchdog stopped has the time of one run, which a sample may draw.
static bool hasTime(const VariantResult &Row) {
  bool Ran = Row.isGood() || Row.Status == VariantStatus::Slow;
  return Ran && !Row.isDuplicate() && Row.OnGpu.isTimed();
}

static std::vector<double> times(const TuneReport &Report, bool ParetoOnly) {
  std::vector<double> Times;
  for (const VariantResult &Row : Report.Variants)
    if (hasTime(Row) && (Row.Pareto || !ParetoOnly))
      Times.push_back(*Row.OnGpu.MedianMs);
  return Times;
}

std::optional<double> TuneReport::paretoRegret() const {
  if (!Exhaustive)
    return std::nullopt;
  return regret(times(*this, /*ParetoOnly=*/true), times(*this, /*ParetoOnly=*/false));
}

std::optional<double> TuneReport::randomRegret() const {
  if (!Exhaustive)
    return std::nullopt;
  return randomSampleRegret(times(*this, /*ParetoOnly=*/false), paretoCount());
}

/// Defines, flags and source as the front end gets them: defines that the
/// variant does not mention have the author's value.
static std::string sourceArguments(const TuneReport &Report, const Variant &V) {
  std::string Text;
  auto Add = [&](const Twine &Argument) { Text += " " + shellQuoted(Argument.str()); };
  for (DefineSetting D : Report.AuthorDefines) {
    for (const DefineSetting &Own : V.Defines)
      if (Own.Name == D.Name)
        D.Value = Own.Value;
    Add("-D" + D.Name + "=" + D.Value);
  }
  for (const std::string &Flag : Report.Flags)
    Add(Flag);
  Add(Report.Source);
  return Text;
}

/// clang++ names no values, which only the comments of the PTX would show; opt
/// and llc are told.
ReplayLines replayLines(const TuneReport &Report, const VariantResult &Row, StringRef Plugin) {
  std::string Source = sourceArguments(Report, Row.Parts);
  std::string Pipeline =
      "-gpuprune-pipeline='" + printPipeline(withKernel(Row.Parts.Pipeline, Report.PassKernel)) + "'";
  std::string Named = shellQuoted(Plugin);
  std::string Device = "clang++-22 -x cuda -O3 --cuda-device-only --cuda-gpu-arch=" + Report.Device;
  std::string ForDevice = " -mcpu=" + Report.Device + " -mattr=" + Report.Features;
  std::string Opt = "opt-22 -discard-value-names -load-pass-plugin=" + Named + ForDevice +
                    " -passes='default<O3>' " + Pipeline + " ";
  std::string Clang = Device + " -S -fpass-plugin=" + Named + " -mllvm " + Pipeline + Source + " -o kernel.s";
  std::string Bitcode = Device + " -emit-llvm -c -Xclang -disable-llvm-passes" + Source + " -o kernel.bc && ";
  bool IsBuilt = !Report.Bitcode.empty();
  return {IsBuilt ? "" : Clang,
          IsBuilt ? Opt + shellQuoted(Report.Bitcode) + " -o tuned.bc"
                  : Bitcode + Opt + "kernel.bc -o tuned.bc",
          "llc-22 -O3 -discard-value-names" + ForDevice +
              " -fp-contract=" + (fusesMultiplyAdds(Report.Flags) ? "fast" : "on") +
              " -relocation-model=static tuned.bc -o kernel.s"};
}

std::string headerLine(const TuneReport &Report, const VariantResult &Row) {
  if (Row.Launch == Report.Stock.Launch || Report.EmitArguments.empty() || !Report.NoHeader.empty())
    return "";
  return formatv("gpuprune emit {0} --to header --variant '{1}' -o tuned.h", Report.EmitArguments,
                 Row.text());
}

} // namespace gpuprune
