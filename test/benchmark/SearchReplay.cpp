//===- SearchReplay.cpp - What a search would have found ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xz -dc docs/results/h200-modelled.jsonl.xz > MODELLED
//   xz -dc docs/results/h200-exhaustive.csv.xz | build/release/test/benchmark/SearchReplay [MODELLED]
//
// Lets the strategies of `gpuprune tune` search the table of all variants
// (test/benchmark/collect-exhaustive), where a measurement is a look at the table. For each kernel and
// strategy: how many variants it measures, and the fastest of them over the fastest of all (regret).
//
// MODELLED is what test/benchmark/model-accuracy writes with --dump: modelled times of some variants. Then
// these are the whole table, and strategies that ask the model are replayed, too: `model` takes its first
// choice, or the source as written, and measures nothing.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelChoice.h"
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/Result.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <functional>
#include <map>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A row, and what measuring it would tell.
struct Recorded {
  VariantResult Row;
  std::string Twin; ///< The text of the row that this one is the same as, if any.
  std::optional<double> Ms;
  bool IsStock = false; ///< The source as written, the first row of its kernel.
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
  R.IsStock = Cells.lookup("variant") == "stock";
  if (!R.IsStock)
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

/// What model-accuracy --dump wrote of a kernel: modelled times by variant; stock clang's is "stock".
using ModelledTable = StringMap<ModelledRow>;

static std::map<std::string, ModelledTable> readModelled(StringRef Path) {
  ExitOnError OrExitFile((Path + ": ").str());
  auto Text = OrExitFile(errorOrToExpected(MemoryBuffer::getFile(Path)));
  std::map<std::string, ModelledTable> Kernels;
  SmallVector<StringRef> Lines;
  Text->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    json::Value Value = OrExitFile(json::parse(Line));
    const json::Object &O = *Value.getAsObject();
    ModelledRow Row;
    Row.Ms = O.getNumber("ms");
    for (size_t Term = 0; Term != NumModelTerms; ++Term)
      if (O.getString("bound") == modelTermName(ModelTerm(Term)))
        Row.Bound = ModelTerm(Term);
    const json::Array *Notes = O.getArray("notes");
    Row.IsEstimated = Notes && !Notes->empty();
    Kernels[O.getString("kernel")->str()][*O.getString("variant")] = Row;
  }
  return Kernels;
}

/// Those of \p Table that have a modelled time or a reason why not.
static std::vector<Recorded> restricted(ArrayRef<Recorded> Table, const ModelledTable &Modelled) {
  std::vector<Recorded> Kept;
  for (const Recorded &R : Table) {
    auto Known = Modelled.find(R.IsStock ? "stock" : R.Row.text());
    if (Known == Modelled.end())
      continue;
    Kept.push_back(R);
    Kept.back().Row.Modelled = Known->second;
    Kept.back().Row.Twin.reset(); // The sample has one of each.
  }
  return Kept;
}

namespace {
struct Replayed {
  size_t Measured = 0;
  double BestMs = INFINITY;
  size_t Until3 = 0, Until1 = 0; ///< Measured until one was within 3 % and 1 % of the best of all.
  /// The best of the first max(5, 1 %) and max(10, 3 %) of the variants, or of all that were measured.
  double Early = INFINITY, Later = INFINITY;
};
} // namespace

static double bestOf(ArrayRef<Recorded> Table) {
  double Best = INFINITY;
  for (const Recorded &R : Table)
    if (R.Ms && R.Row.mayWin() && !R.IsStock)
      Best = std::min(Best, *R.Ms);
  return Best;
}

static Replayed replay(Strategy &Search, ArrayRef<Recorded> Table) {
  std::vector<VariantResult> Rows;
  for (const Recorded &R : Table) {
    Rows.push_back(R.Row);
    if (R.IsStock) // It is measured beside the others in any case.
      Rows.back().Status = VariantStatus::Skipped;
  }
  double BestOfAll = bestOf(Table);
  Replayed Result;
  for (std::vector<size_t> Batch; !(Batch = Search.nextBatch(Rows)).empty();)
    for (size_t Row : Batch) {
      ++Result.Measured;
      if (!(Rows[Row].OnGpu.MedianMs = Table[Row].Ms))
        Rows[Row].Status = VariantStatus::Skipped;
      else if (Rows[Row].mayWin())
        Result.BestMs = std::min(Result.BestMs, *Rows[Row].OnGpu.MedianMs);
      if (Result.Measured <= std::max<size_t>(5, Table.size() / 100))
        Result.Early = Result.BestMs;
      if (Result.Measured <= std::max<size_t>(10, 3 * Table.size() / 100))
        Result.Later = Result.BestMs;
      for (auto [Until, Within] : {std::pair(&Result.Until3, 1.03), {&Result.Until1, 1.01}})
        if (*Until == 0 && Result.BestMs <= Within * BestOfAll)
          *Until = Result.Measured;
    }
  return Result;
}

/// What is taken without a timing.
static Replayed replayChoice(ArrayRef<Recorded> Table) {
  std::vector<VariantResult> Rows;
  for (const Recorded &R : Table)
    Rows.push_back(R.Row);
  const auto *Stock = find_if(Table, [](const Recorded &R) { return R.IsStock; });
  if (Stock == Table.end())
    return {};
  Rows[Stock - Table.begin()].NoWin = "the source as written";
  std::optional<size_t> Row = chooseByModel(Rows, Stock->Row.Modelled).row();
  Replayed Result;
  Result.Early = Result.Later = Result.BestMs = (Row ? Table[*Row] : *Stock).Ms.value_or(INFINITY);
  return Result;
}

namespace {
struct Replay {
  StringRef Name;
  std::function<Replayed(ArrayRef<Recorded>)> Run;
  size_t Measured = 0;
  double LogRegret = 0, LogEarly = 0, LogLater = 0;
};
} // namespace

template <typename Make> static Replay replayOf(StringRef Name, Make MakeStrategy) {
  return {Name, [MakeStrategy](ArrayRef<Recorded> Table) { return replay(*MakeStrategy(), Table); }};
}

static std::vector<Replay> replays(bool HasModel) {
  std::vector<Replay> All;
  All.push_back(replayOf("search", [] { return makeSearchStrategy(); }));
  All.push_back(replayOf("pareto", [] { return makeParetoStrategy(); }));
  if (HasModel) {
    All.push_back(replayOf("model-guided", [] { return makeModelGuidedStrategy(); }));
    All.push_back({"model", replayChoice});
  }
  return All;
}

static void print(StringRef Kernel, ArrayRef<Recorded> Table, MutableArrayRef<Replay> Replays) {
  double Best = bestOf(Table);
  outs() << formatv("{0,20} {1,8} {2,9:f4}", Kernel, Table.size(), Best);
  for (Replay &R : Replays) {
    Replayed Result = R.Run(Table);
    R.Measured += Result.Measured;
    R.LogRegret += std::log(Result.BestMs / Best);
    R.LogEarly += std::log(Result.Early / Best);
    R.LogLater += std::log(Result.Later / Best);
    outs() << formatv(" | {0,4} {1,4} {2,4} {3,6:f3}", Result.Measured, Result.Until3, Result.Until1,
                      Result.BestMs / Best);
  }
  outs() << '\n';
}

int main(int Argc, char **Argv) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getSTDIN();
  if (!Text || Argc > 2) {
    errs() << "usage: SearchReplay [MODELLED] < TABLE\n";
    return 2;
  }
  auto Kernels = readTable((*Text)->getBuffer());
  if (Kernels.empty()) {
    errs() << "standard input has no table; see the head of test/benchmark/SearchReplay.cpp\n";
    return 1;
  }
  if (Argc == 2) {
    auto Modelled = readModelled(Argv[1]);
    erase_if(Kernels, [&](const auto &Each) { return !Modelled.contains(Each.first); });
    for (auto &[Kernel, Table] : Kernels)
      Table = restricted(Table, Modelled[Kernel]);
  }
  std::vector<Replay> Replays = replays(Argc == 2);
  outs() << "for each strategy: measured, until within 3 % and 1 % of the best, regret\n"
         << formatv("{0,20} {1,8} {2,9}", "kernel", "variants", "best ms");
  for (const Replay &R : Replays)
    outs() << formatv(" | {0,21}", R.Name);
  outs() << '\n';
  for (const auto &[Kernel, Table] : Kernels)
    print(Kernel, Table, Replays);
  for (const Replay &R : Replays) {
    auto Mean = [&](double Sum) { return std::exp(Sum / double(Kernels.size())); };
    outs() << formatv(
        "{0}: {1} measured, regret {2:f4} in the geometric mean; after max(5, 1 %) of the variants "
        "{3:f4}, after max(10, 3 %) {4:f4}\n",
        R.Name, R.Measured, Mean(R.LogRegret), Mean(R.LogEarly), Mean(R.LogLater));
  }
  return 0;
}
