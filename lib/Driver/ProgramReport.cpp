//===- ProgramReport.cpp - What became of a program's kernels ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ProgramTuner.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "gpuprune/Transforms/KernelNames.h"

using namespace llvm;

namespace gpuprune {

std::string ProgramClass::name() const { return kernelFullName(Symbol); }

/// The times of its variant, which a build applies; null: there is none.
static const RecordTimes *timesOf(const ProgramClass &C) {
  return C.Path.empty() || !C.Best.Record || !C.Best.Record->Times ? nullptr : &*C.Best.Record->Times;
}

/// What the launches of the class take once its record is applied.
static double msWithRecord(const ProgramClass &C) {
  const RecordTimes *Times = timesOf(C);
  return Times ? C.GpuMs * Times->Tuned / Times->Stock : C.GpuMs;
}

std::optional<double> ProgramReport::tunedMs() const {
  double Ms = 0;
  bool Any = false;
  for (const ProgramClass &C : Classes) {
    Ms += msWithRecord(C);
    Any |= C.Report && !C.Report->Gpu.empty();
  }
  return Any ? std::optional<double>(Ms) : std::nullopt;
}

static json::Value rowJson(const ProgramClass &C) {
  json::Object Row{{"kernel", C.name()},
                   {"recording", C.Recording},
                   {"grid", toJSON(C.Grid)},
                   {"block", toJSON(C.Block)},
                   {"launches", C.Launches},
                   {"gpu_ms", C.GpuMs},
                   {"left_alone", C.IsLeftAlone},
                   {"record", C.Path},
                   {"variant", C.Best.Row},
                   {"note", json::fixUTF8(C.Best.Why)},
                   {"problem", json::fixUTF8(C.Problem)}};
  if (timesOf(C)) {
    Row["least_blocks"] = C.LeastBlocks;
    Row["grid_multiples"] = toJSON(gridMultiples(*C.Best.Record));
    if (C.Best.Otherwise)
      Row["otherwise"] = json::Object{{"variant", C.Best.OtherwiseRow},
                                      {"grid_multiples", toJSON(gridMultiples(*C.Best.Otherwise))},
                                      {"least_blocks", C.OtherwiseLeast.value_or(C.blocks())}};
    if (C.LoopEnd)
      Row["loop_end"] =
          json::Object{{"argument", C.LoopEnd->Least.Argument}, {"least", C.LoopEnd->Least.Least}};
    Row["range_note"] = json::fixUTF8(C.RangeNote);
  }
  if (C.Report) {
    std::optional<bool> Same = isReproduced(C.Report->Reproduced);
    Row["reproduced"] = Same ? json::Value(*Same) : json::Value(nullptr);
    Row["report"] = toJSON(*C.Report);
  }
  return Row;
}

json::Value toJSON(const ProgramReport &Report) {
  json::Array Classes;
  for (const ProgramClass &C : Report.Classes)
    Classes.push_back(rowJson(C));
  json::Object All{
      {"folder", Report.Folder}, {"classes", std::move(Classes)}, {"problems", json::Array(Report.Problems)}};
  if (std::optional<double> Tuned = Report.tunedMs())
    All["tuned_gpu_ms"] = *Tuned;
  return All;
}

/// Names of templates such as cub's fill a screen.
static std::string shortName(const ProgramClass &C) {
  static constexpr size_t Most = 48;
  std::string Name = C.name();
  return Name.size() <= Most ? Name : Name.substr(0, Most - 3) + "...";
}

static std::string variantName(const std::string &Text) {
  return Text.empty() ? "(as written, prepared)" : Text;
}

/// Which grids the record is not for, and what is launched there.
static std::string otherGrids(const ProgramClass &C) {
  Dim3 Multiples = gridMultiples(*C.Best.Record);
  if (Multiples == Dim3())
    return "";
  std::string Only = "; only grids that are multiples of " + Multiples.text('x');
  if (!C.Best.Otherwise)
    return Only;
  const std::optional<RecordTimes> &Times = C.Best.Otherwise->Times;
  std::string Variant = variantName(C.Best.OtherwiseRow);
  if (Times)
    Variant += formatv(" ({0:f2}x)", Times->Stock / Times->Tuned);
  if (takesGridsOf(*C.Best.Record, *C.Best.Otherwise))
    return formatv("{0}; with the author's block: {1}", Only, Variant);
  Dim3 Second = gridMultiples(*C.Best.Otherwise);
  return formatv("; grids that are no multiples of {0}{1}: {2}", Multiples.text('x'),
                 Second == Dim3() ? "" : " but of " + Second.text('x'), Variant);
}

static std::string outcomeOf(const ProgramClass &C) {
  if (C.IsLeftAlone)
    return "left alone: under 1 % of the program's time" +
           (C.Best.Row.empty() ? "" : "; launched as " + C.Best.Row);
  if (!C.Problem.empty())
    return "not tuned: " + C.Problem;
  if (!timesOf(C))
    return "no record: " + C.Best.Why;
  return variantName(C.Best.Row) + otherGrids(C) + (C.Best.Why.empty() ? "" : "; " + C.Best.Why);
}

static std::vector<std::string> rowOf(const ProgramClass &C) {
  const RecordTimes *Times = timesOf(C);
  auto Ms = [&](double RecordTimes::*Of) {
    return Times ? formatv("{0:f3}", Times->*Of).str() : std::string("-");
  };
  return {shortName(C),
          C.Grid.text('x'),
          C.Block.text('x'),
          utostr(C.Launches),
          formatv("{0:f3}", C.GpuMs),
          Ms(&RecordTimes::Stock),
          Ms(&RecordTimes::Tuned),
          Times ? formatv("{0:f2}x", Times->Stock / Times->Tuned).str() : std::string("-"),
          outcomeOf(C)};
}

void printProgram(raw_ostream &OS, const ProgramReport &Report) {
  ColumnPrinter Table(
      {"kernel", "grid", "block", "launches", "all ms", "one ms", "tuned ms", "gain", "variant"});
  double All = 0;
  for (const ProgramClass &C : Report.Classes) {
    Table.add(rowOf(C));
    All += C.GpuMs;
  }
  Table.print(OS);
  for (const ProgramClass &C : Report.Classes)
    if (C.Report && isReproduced(C.Report->Reproduced) == false)
      OS << formatv("not reproduced: {0}: {1}\n", shortName(C), reproductionText(C.Report->Reproduced));
  for (const std::string &Problem : Report.Problems)
    OS << "not read: " << Problem << '\n';
  if (std::optional<double> Tuned = Report.tunedMs())
    OS << formatv(
        "\nall recorded launches: {0:f3} ms, with the tuning records {1:f3} ms, {2:f2} times as fast\n", All,
        *Tuned, *Tuned > 0 ? All / *Tuned : 1.0);
}

} // namespace gpuprune
