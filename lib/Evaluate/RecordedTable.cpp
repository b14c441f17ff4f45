//===- RecordedTable.cpp - Tables of measured variants -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RecordedTable.h"
#include "CsvCells.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

namespace {

using Cells = StringMap<std::string>;

/// The columns without which there is nothing to evaluate.
constexpr StringLiteral NeededColumns[] = {
    "kernel", "variant", "status",     "twin",        "check",         "no_win",    "grid",       "block",
    "instr",  "regions", "efficiency", "utilization", "blocks_per_sm", "median_ms", "baseline_ms"};

/// Columns of numbers, none of which is negative; an empty cell is an unknown one.
constexpr StringLiteral NumberColumns[] = {"twin",       "instr",         "regions",
                                           "efficiency", "utilization",   "occupancy",
                                           "registers",  "blocks_per_sm", "cycles"};
/// Of times, each longer than 0.
constexpr StringLiteral TimeColumns[] = {"median_ms", "baseline_ms", "modelled_ms", "modelled_queued_ms"};

} // namespace

static std::optional<double> number(StringRef Cell) {
  double Value = 0;
  return Cell.getAsDouble(Value) ? std::nullopt : std::optional(Value);
}

static Error checkNumbers(const Cells &Line) {
  auto Check = [&](StringRef Column, function_ref<bool(double)> IsRight, StringRef Expected) -> Error {
    std::string Cell = Line.lookup(Column);
    std::optional<double> Value = number(Cell);
    if (Cell.empty() || (Value && IsRight(*Value)))
      return Error::success();
    return makeError(ErrorKind::Input,
                     formatv("{0} is '{1}', but is expected to be {2}", Column, Cell, Expected));
  };
  for (StringRef Column : NumberColumns)
    if (Error E = Check(Column, [](double Value) { return Value >= 0; }, "a number of at least 0"))
      return E;
  for (StringRef Column : TimeColumns)
    if (Error E =
            Check(Column, [](double Value) { return std::isfinite(Value) && Value > 0; }, "a time in ms"))
      return E;
  return Error::success();
}

static ModelledRow modelledOf(const Cells &Line) {
  ModelledRow Row;
  Row.Ms = number(Line.lookup("modelled_ms"));
  Row.QueuedMs = number(Line.lookup("modelled_queued_ms"));
  Row.Bound = parseModelTerm(Line.lookup("modelled_bound"));
  return Row;
}

static Error readMeasurement(const Cells &Line, Measurement &OnGpu) {
  std::optional<CheckOutcome> Outcome = parseCheckOutcome(Line.lookup("check"));
  if (!Outcome)
    return makeError(ErrorKind::Input, "unknown check '" + Line.lookup("check") + "'");
  OnGpu.Outcome = *Outcome;
  OnGpu.MedianMs = number(Line.lookup("median_ms"));
  OnGpu.BaselineMedianMs = number(Line.lookup("baseline_ms"));
  return Error::success();
}

static Error readLaunch(const Cells &Line, PhysicalLaunch &Launch) {
  for (auto [Name, Extents] : {std::pair("grid", &Launch.Grid), {"block", &Launch.Block}}) {
    std::optional<Dim3> Read = Dim3::parse(Line.lookup(Name), 'x');
    if (!Read)
      return makeError(ErrorKind::Input, Twine("no ") + Name + ": '" + Line.lookup(Name) + "'");
    *Extents = *Read;
  }
  return Error::success();
}

static Error readRow(const Cells &Line, VariantResult &Row) {
  if (Error E = checkNumbers(Line))
    return E;
  std::optional<VariantStatus> Status = parseVariantStatus(Line.lookup("status"));
  if (!Status)
    return makeError(ErrorKind::Input, "unknown status '" + Line.lookup("status") + "'");
  Row.Status = *Status;
  Row.Instr = number(Line.lookup("instr"));
  Row.Regions = number(Line.lookup("regions"));
  Row.Efficiency = number(Line.lookup("efficiency"));
  Row.Utilization = number(Line.lookup("utilization"));
  Row.BlocksPerSM = number(Line.lookup("blocks_per_sm"));
  Row.Registers = number(Line.lookup("registers"));
  Row.Occupancy = number(Line.lookup("occupancy"));
  Row.Scheduled.Cycles = number(Line.lookup("cycles"));
  Row.NoWin = Line.lookup("no_win") == "1" ? "so it was recorded" : "";
  Row.Modelled = modelledOf(Line);
  if (std::optional<double> Twin = number(Line.lookup("twin")))
    Row.Twin = {size_t(*Twin), TwinKind::Ptx};
  // Who was refused has no launch.
  if (Row.Instr)
    if (Error E = readLaunch(Line, Row.Launch))
      return E;
  return readMeasurement(Line, Row.OnGpu);
}

static std::map<std::string, double, std::less<>> wallSeconds(const Cells &Line) {
  std::map<std::string, double, std::less<>> Result;
  for (const auto &Cell : Line) {
    StringRef Name = Cell.getKey();
    if (Name.consume_front("wall_s_"))
      if (std::optional<double> Seconds = number(Cell.getValue()))
        Result[Name.str()] = *Seconds;
  }
  return Result;
}

static Error addLine(const Cells &Line, std::vector<RecordedKernel> &Kernels) {
  std::string Name = Line.lookup("kernel");
  if (Kernels.empty() || Kernels.back().Name != Name)
    Kernels.push_back({Name, {}, {}, {}});
  if (Line.lookup("variant") == "stock") {
    Kernels.back().WallSeconds = wallSeconds(Line);
    return readRow(Line, Kernels.back().Stock);
  }
  Expected<Variant> Parts = parseVariant(Line.lookup("variant"));
  if (!Parts)
    return Parts.takeError();
  VariantResult &Row = Kernels.back().Rows.emplace_back();
  Row.Parts = std::move(*Parts);
  return readRow(Line, Row);
}

static Error checkColumns(ArrayRef<std::string> Names) {
  for (StringRef Needed : NeededColumns)
    if (!is_contained(Names, Needed))
      return makeError(ErrorKind::Input, "no table of measured variants: it has no column '" + Needed + "'");
  return Error::success();
}

/// Twins are rows of the same kernel.
static Error checkTwins(const RecordedKernel &Kernel) {
  for (const VariantResult &Row : Kernel.Rows)
    if (Row.Twin && Row.Twin->Row >= Kernel.Rows.size())
      return makeError(ErrorKind::Input, Kernel.Name + ": '" + Row.text() + "' is the twin of a missing row");
  return Error::success();
}

Expected<std::vector<RecordedKernel>> readRecordedTable(StringRef Text) {
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Names = csvCells(Lines.empty() ? "" : Lines.front().rtrim());
  if (Error E = checkColumns(Names))
    return std::move(E);
  std::vector<RecordedKernel> Kernels;
  for (auto [Number, Text] : drop_begin(enumerate(Lines))) {
    std::vector<std::string> Values = csvCells(Text.rtrim());
    Error E = Values.size() == Names.size() ? Error::success()
                                            : makeError(ErrorKind::Input, "not as many cells as columns");
    Cells Line;
    for (const auto &[Name, Cell] : zip(Names, Values))
      Line[Name] = Cell;
    if (!E)
      E = addLine(Line, Kernels);
    if (E) {
      TakenError Taken = takeError(std::move(E));
      return makeError(Taken.Kind, "line " + Twine(Number + 1) + ": " + Taken.Text);
    }
  }
  for (const RecordedKernel &Kernel : Kernels)
    if (Error E = checkTwins(Kernel))
      return std::move(E);
  return Kernels;
}

bool isTimed(const VariantResult &Row) {
  bool Ran = Row.isGood() || Row.Status == VariantStatus::Slow;
  return Ran && !Row.isDuplicate() && Row.mayWin() && Row.OnGpu.isTimed();
}

} // namespace gpuprune
