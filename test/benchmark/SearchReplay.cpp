//===- SearchReplay.cpp - What a search would have found ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xz -dc docs/results/h200-exhaustive.csv.xz | build/release/test/benchmark/SearchReplay
//
// Lets the strategy of `gpuprune tune` search the table of all variants (test/benchmark/collect-exhaustive),
// where a measurement is a look at the table. For each kernel: how many variants it measures, the fastest of
// them, and that over the fastest of all (regret).
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Result.h"
#include "gpuprune/Search/Strategy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A row, and what measuring it would tell.
struct Recorded {
  VariantResult Row;
  std::string Twin; ///< The text of the row that this one is the same as, if any.
  std::optional<double> Ms;
};

ExitOnError OrExit("standard input: ");

} // namespace

/// The cells of a line; quotes hold commas together, and are doubled within.
static std::vector<std::string> cellsOf(StringRef Line) {
  std::vector<std::string> Cells(1);
  bool Quoted = false;
  for (size_t I = 0; I != Line.size(); ++I) {
    if (Line[I] == '"' && Quoted && Line.substr(I + 1).starts_with("\""))
      Cells.back() += Line[I++];
    else if (Line[I] == '"')
      Quoted = !Quoted;
    else if (Line[I] == ',' && !Quoted)
      Cells.emplace_back();
    else
      Cells.back() += Line[I];
  }
  return Cells;
}

static std::optional<double> number(StringRef Cell) {
  double Value = 0;
  return Cell.getAsDouble(Value) ? std::nullopt : std::optional(Value);
}

static Recorded recordedOf(const StringMap<std::string> &Cells) {
  Recorded R;
  R.Row.Parts = OrExit(parseVariant(Cells.lookup("variant")));
  R.Row.Status = parseVariantStatus(Cells.lookup("status")).value_or(VariantStatus::Skipped);
  // Only measuring tells that a variant is slow.
  if (R.Row.Status == VariantStatus::Slow)
    R.Row.Status = VariantStatus::Ok;
  R.Twin = Cells.lookup("twin");
  R.Row.Efficiency = number(Cells.lookup("efficiency"));
  R.Row.Utilization = number(Cells.lookup("utilization"));
  R.Row.NoWin = Cells.lookup("no_win") == "1" ? "so it was" : "";
  R.Ms = number(Cells.lookup("median_ms"));
  return R;
}

static void findTwins(std::vector<Recorded> &Table) {
  StringMap<size_t> ByText;
  for (const auto &[Index, R] : enumerate(Table))
    ByText[R.Row.text()] = Index;
  for (Recorded &R : Table)
    if (!R.Twin.empty())
      R.Row.Twin = {ByText.lookup(R.Twin), TwinKind::Ptx};
}

static std::map<std::string, std::vector<Recorded>> readTable(StringRef Text) {
  std::map<std::string, std::vector<Recorded>> Kernels;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Names = cellsOf(Lines.empty() ? "" : Lines.front().rtrim());
  for (StringRef Line : drop_begin(Lines)) {
    StringMap<std::string> Cells;
    for (const auto &[Name, Cell] : zip_first(Names, cellsOf(Line.rtrim())))
      Cells[Name] = Cell;
    Kernels[Cells.lookup("kernel")].push_back(recordedOf(Cells));
  }
  for (auto &[Kernel, Table] : Kernels)
    findTwins(Table);
  return Kernels;
}

/// The natural logarithm of the regret.
static double replay(StringRef Kernel, ArrayRef<Recorded> Table) {
  std::vector<VariantResult> Rows;
  double BestOfAll = INFINITY, Best = INFINITY;
  for (const Recorded &R : Table) {
    Rows.push_back(R.Row);
    if (R.Ms && R.Row.mayWin())
      BestOfAll = std::min(BestOfAll, *R.Ms);
  }
  std::unique_ptr<Strategy> Search = makeSearchStrategy();
  size_t Measured = 0, Batches = 0;
  for (std::vector<size_t> Batch; !(Batch = Search->nextBatch(Rows)).empty(); ++Batches)
    for (size_t Row : Batch) {
      ++Measured;
      if (!(Rows[Row].OnGpu.MedianMs = Table[Row].Ms))
        Rows[Row].Status = VariantStatus::Skipped;
      else if (Rows[Row].mayWin())
        Best = std::min(Best, *Rows[Row].OnGpu.MedianMs);
    }
  outs() << formatv("{0,20} {1,9} {2,8} {3,10:f4} {4,8:f4}\n", Kernel, Measured, Batches, Best,
                    Best / BestOfAll);
  return std::log(Best / BestOfAll);
}

int main() {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getSTDIN();
  if (!Text) {
    errs() << "standard input: " << Text.getError().message() << '\n';
    return 1;
  }
  auto Kernels = readTable((*Text)->getBuffer());
  if (Kernels.empty()) {
    errs() << "standard input has no table; see the head of test/benchmark/SearchReplay.cpp\n";
    return 1;
  }
  outs() << formatv("{0,20} {1,9} {2,8} {3,10} {4,8}\n", "kernel", "measured", "batches", "best ms",
                    "regret");
  double Sum = 0;
  for (const auto &[Kernel, Table] : Kernels)
    Sum += replay(Kernel, Table);
  outs() << formatv("regret: geometric mean {0:f4}\n", std::exp(Sum / Kernels.size()));
  return 0;
}
