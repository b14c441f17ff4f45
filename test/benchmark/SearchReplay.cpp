//===- SearchReplay.cpp - What a search would have found ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   xz -dc docs/results/h200-modelled.jsonl.xz > MODELLED
//   xz -dc docs/results/h200-exhaustive.csv.xz | build/release/test/benchmark/SearchReplay [--curves]
//   [--build-at-most=N] [MODELLED]
//
// Lets the strategies of `gpuprune tune` search the table of all variants
// (test/benchmark/collect-exhaustive), where a measurement is a look at the table. For each kernel and
// strategy: how many variants it measures, and the fastest of them over the fastest of all (regret).
//
// MODELLED is what test/benchmark/model-accuracy writes with --dump: modelled times of some variants. Then
// these are the whole table, and strategies that ask the model are replayed, too: `model` takes its first
// choice, or the source as written, and measures nothing; `beside` is model-guided where variants are built
// meanwhile, and measuring is the faster of both.
//
// With --build-at-most these see N variants of each kernel at most, chosen by the modelled times of those
// before (PortionChooser.h). Regret is still that of the whole table.
//
// With --curves a line for each kernel and strategy that measures: kernel, strategy, and the best time after
// each measurement in ms, `-` while there is none. What test/benchmark/kernel-tuner reads.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/SearchReplay.h"
#include "gpuprune/Evaluate/RecordedTable.h"
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/PortionChooser.h"
#include "gpuprune/Search/SpreadOrder.h"
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

ExitOnError OrExit("standard input: ");

} // namespace

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
    Row.QueuedMs = O.getNumber("queued_ms");
    Row.Bound = parseModelTerm(O.getString("bound").value_or(""));
    const json::Array *Notes = O.getArray("notes");
    Row.IsEstimated = Notes && !Notes->empty();
    Kernels[O.getString("kernel")->str()][*O.getString("variant")] = Row;
  }
  return Kernels;
}

/// \p Kernel with those of its variants alone that have a modelled time or a reason why not.
static RecordedKernel restricted(const RecordedKernel &Kernel, const ModelledTable &Modelled) {
  RecordedKernel Kept{Kernel.Name, Kernel.Stock, {}};
  Kept.Stock.Modelled = Modelled.lookup("stock");
  for (const VariantResult &Row : Kernel.Rows)
    if (auto Known = Modelled.find(Row.text()); Known != Modelled.end()) {
      Kept.Rows.push_back(Row);
      Kept.Rows.back().Modelled = Known->second;
      Kept.Rows.back().Twin.reset(); // The sample has one of each.
    }
  return Kept;
}

static std::vector<Variant> partsOf(const RecordedKernel &Kernel) {
  std::vector<Variant> All;
  for (const VariantResult &Row : Kernel.Rows)
    All.push_back(Row.Parts);
  return All;
}

/// \p Kernel with what is built of it.
static RecordedKernel built(const RecordedKernel &Kernel, size_t AtMost) {
  std::vector<Variant> All = partsOf(Kernel);
  PortionChooser Chooser(All, AtMost);
  std::vector<size_t> Chosen;
  for (std::vector<size_t> Portion; !(Portion = Chooser.next(Kernel.Rows)).empty();)
    append_range(Chosen, Portion);
  llvm::sort(Chosen);
  RecordedKernel Kept{Kernel.Name, Kernel.Stock, {}};
  for (size_t Row : Chosen)
    Kept.Rows.push_back(Kernel.Rows[Row]);
  return Kept;
}

/// As a run builds them that measures meanwhile (BuildQueue.cpp).
static std::vector<std::vector<size_t>> portionsOf(const RecordedKernel &Kernel) {
  std::vector<Variant> All = partsOf(Kernel);
  std::vector<std::vector<size_t>> Portions;
  std::vector<size_t> Order = spreadOrder(All);
  for (ArrayRef<size_t> Left = Order; !Left.empty(); Left = Left.drop_front(Portions.back().size()))
    Portions.push_back(Left.take_front(Portions.empty() ? 16 : Portions.size() == 1 ? 48 : 256).vec());
  return Portions;
}

namespace {
struct Replay {
  StringRef Name;
  std::function<Replayed(const RecordedKernel &)> Run;
  size_t Measured = 0;
  double LogRegret = 0, LogEarly = 0, LogLater = 0;
};
} // namespace

template <typename Make> static Replay replayOf(StringRef Name, Make MakeStrategy) {
  return {Name, [MakeStrategy](const RecordedKernel &Kernel) {
            return replaySearch(*MakeStrategy(), Kernel.Rows);
          }};
}

static std::vector<Replay> replays(bool HasModel, bool HasBeside, size_t AtMost) {
  std::vector<Replay> All;
  All.push_back(replayOf("search", [] { return makeSearchStrategy(); }));
  All.push_back(replayOf("pareto", [] { return makeParetoStrategy(); }));
  if (HasModel) {
    All.push_back({"model-guided", [AtMost](const RecordedKernel &Kernel) {
                     return replaySearch(*makeModelGuidedStrategy(), built(Kernel, AtMost).Rows);
                   }});
    if (HasBeside)
      All.push_back({"beside", [AtMost](const RecordedKernel &Kernel) {
                       RecordedKernel Whole = built(Kernel, AtMost);
                       return replayBeside(*makeModelGuidedStrategy(), *makeModelGuidedStrategy(), Whole.Rows,
                                           portionsOf(Whole));
                     }});
    All.push_back({"model", [AtMost](const RecordedKernel &Kernel) {
                     return replayModelChoice(built(Kernel, AtMost).Rows, Kernel.Stock);
                   }});
  }
  return All;
}

static void print(const RecordedKernel &Kernel, MutableArrayRef<Replay> Replays) {
  double Best = bestTime(Kernel.Rows).value_or(NAN);
  outs() << formatv("{0,20} {1,8} {2,9:f4}", Kernel.Name, Kernel.Rows.size(), Best);
  for (Replay &R : Replays) {
    Replayed Result = R.Run(Kernel);
    auto RegretOf = [&](std::optional<double> Ms) { return Ms.value_or(INFINITY) / Best; };
    double Regret = RegretOf(Result.BestMs);
    R.Measured += Result.Measured;
    R.LogRegret += std::log(Regret);
    R.LogEarly += std::log(RegretOf(Result.EarlyMs));
    R.LogLater += std::log(RegretOf(Result.LaterMs));
    outs() << formatv(" | {0,4} {1,4} {2,4} {3,6:f3}", Result.Measured, Result.Until3, Result.Until1, Regret);
  }
  outs() << '\n';
}

static void printCurves(const RecordedKernel &Kernel, ArrayRef<Replay> Replays) {
  for (const Replay &R : Replays) {
    Replayed Result = R.Run(Kernel);
    if (Result.Measured == 0)
      continue;
    outs() << Kernel.Name << ' ' << R.Name;
    for (std::optional<double> Ms : Result.BestAfter)
      outs() << ' ' << (Ms ? formatv("{0:f6}", *Ms).str() : "-");
    outs() << '\n';
  }
}

int main(int Argc, char **Argv) {
  bool HasCurves = Argc > 1 && StringRef(Argv[1]) == "--curves";
  if (HasCurves) {
    --Argc;
    ++Argv;
  }
  size_t AtMost = SIZE_MAX;
  if (StringRef Option = Argc > 1 ? Argv[1] : ""; Option.consume_front("--build-at-most=")) {
    if (Option.getAsInteger(10, AtMost))
      Argc = 0;
    --Argc;
    ++Argv;
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getSTDIN();
  if (!Text || Argc < 1 || Argc > 2) {
    errs() << "usage: SearchReplay [--curves] [--build-at-most=N] [MODELLED] < TABLE\n";
    return 2;
  }
  std::vector<RecordedKernel> Kernels = OrExit(readRecordedTable((*Text)->getBuffer()));
  llvm::sort(Kernels, [](const RecordedKernel &A, const RecordedKernel &B) { return A.Name < B.Name; });
  if (Argc == 2) {
    auto Modelled = readModelled(Argv[1]);
    erase_if(Kernels, [&](const RecordedKernel &Each) { return !Modelled.contains(Each.Name); });
    for (RecordedKernel &Kernel : Kernels)
      Kernel = restricted(Kernel, Modelled[Kernel.Name]);
  }
  std::vector<Replay> Replays = replays(Argc == 2, /*HasBeside=*/!HasCurves, AtMost);
  if (HasCurves) {
    for (const RecordedKernel &Kernel : Kernels)
      printCurves(Kernel, Replays);
    return 0;
  }
  outs() << "for each strategy: measured, until within 3 % and 1 % of the best, regret\n"
         << formatv("{0,20} {1,8} {2,9}", "kernel", "variants", "best ms");
  for (const Replay &R : Replays)
    outs() << formatv(" | {0,21}", R.Name);
  outs() << '\n';
  for (const RecordedKernel &Kernel : Kernels)
    print(Kernel, Replays);
  for (const Replay &R : Replays) {
    auto Mean = [&](double Sum) { return std::exp(Sum / double(Kernels.size())); };
    outs() << formatv("{0}: {1} measured, regret {2:f4} in the geometric mean; after max(5, 1 %) of the "
                      "variants {3:f4}, after max(10, 3 %) {4:f4}\n",
                      R.Name, R.Measured, Mean(R.LogRegret), Mean(R.LogEarly), Mean(R.LogLater));
  }
  return 0;
}
