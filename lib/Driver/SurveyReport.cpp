//===- SurveyReport.cpp - A survey as table and as JSON -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Survey.h"
#include "gpuprune/Search/Alone.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Names of refusals are long: the table has their numbers, in the order of their first use.
class Footnotes {
public:
  std::string mark(RefusalKind Refusal) {
    auto Found = llvm::find(Refusals, Refusal);
    size_t Number = Found - Refusals.begin() + 1;
    if (Found == Refusals.end())
      Refusals.push_back(Refusal);
    return formatv("[{0}]", Number).str();
  }
  bool empty() const { return Refusals.empty(); }
  void print(raw_ostream &OS) const {
    for (const auto &[Index, Refusal] : enumerate(Refusals))
      OS << formatv("  [{0}] {1}: {2}\n", Index + 1, refusalName(Refusal), whyRefused(Refusal));
  }

private:
  std::vector<RefusalKind> Refusals;
};

} // namespace

/// "12/16+4": of 20 variants 4 were not compiled, and of the others 12 applied.
static std::string appliedText(const SurveyCell &Cell) {
  if (Cell.Variants && Cell.Variants == Cell.NotCompiled)
    return "not compiled";
  std::string Text = formatv("{0}/{1}", Cell.Applied, Cell.Variants - Cell.NotCompiled);
  return Cell.NotCompiled ? formatv("{0}+{1}", Text, Cell.NotCompiled).str() : Text;
}

/// "1.94x 12/16 [2]": gained by the best, applied of so many, the most frequent refusal of the rest.
static std::string cellText(const SurveyCell &Cell, Footnotes &Notes) {
  if (Cell.Variants == 0)
    return "-";
  std::optional<RefusalKind> Refusal = Cell.commonRefusal();
  if (Cell.Applied == 0)
    return Refusal ? "refused " + Notes.mark(*Refusal) : "not compiled";
  std::string Text = Cell.Speedup ? formatv("{0:F2}x ", *Cell.Speedup).str() : "";
  Text += appliedText(Cell);
  return Refusal ? Text + " " + Notes.mark(*Refusal) : Text;
}

/// "coarsen" would be two passes: only the common beginning goes.
static std::string heading(StringRef Choice) {
  Choice.consume_front("gpu-");
  return Choice.str();
}

static StringRef shown(StringRef Variant) { return Variant.empty() ? "(as written, prepared)" : Variant; }

static std::string chosenText(const SurveyedKernel &Kernel) {
  if (!Kernel.Speedup)
    return "-";
  return formatv("{0:F2}x{1}", *Kernel.Speedup, Kernel.Winner ? "" : " as written").str();
}

/// Columns that no kernel has anything to say in are left out.
static std::vector<std::string> usedChoices(const Survey &S) {
  std::vector<std::string> Used;
  for (const std::string &Choice : S.Choices)
    if (any_of(S.Kernels, [&](const SurveyedKernel &K) { return K.Alone.contains(Choice); }))
      Used.push_back(Choice);
  return Used;
}

static const SurveyCell &cellOf(const SurveyedKernel &Kernel, const std::string &Choice) {
  static const SurveyCell None;
  auto Found = Kernel.Alone.find(Choice);
  return Found == Kernel.Alone.end() ? None : Found->second;
}

static void printMatrix(raw_ostream &OS, const Survey &S, Footnotes &Notes) {
  std::vector<std::string> Used = usedChoices(S);
  std::vector<std::string> Header = {"kernel"};
  for (const std::string &Choice : Used)
    Header.push_back(heading(Choice));
  Header.insert(Header.end(), {"all", "chosen"});
  ColumnPrinter Table(Header);
  for (const SurveyedKernel &Kernel : S.Kernels) {
    std::vector<std::string> Line = {Kernel.Name};
    if (!Kernel.Error.empty()) {
      Line.resize(Header.size() - 1, "?");
      Line.push_back("failed");
    } else {
      for (const std::string &Choice : Used)
        Line.push_back(cellText(cellOf(Kernel, Choice), Notes));
      Line.push_back(appliedText(Kernel.All));
      Line.push_back(chosenText(Kernel));
    }
    Table.add(std::move(Line));
  }
  Table.print(OS);
}

static void printNotMeasured(raw_ostream &OS, const Survey &S) {
  std::map<std::string, std::vector<std::string>> Reasons;
  for (const SurveyedKernel &Kernel : S.Kernels) {
    if (!Kernel.NotMeasured.empty())
      Reasons[Kernel.NotMeasured].push_back(Kernel.Name);
  }
  for (const auto &[Reason, Names] : Reasons) {
    bool All = Names.size() == S.Kernels.size();
    OS << "not measured" << (All ? "" : " in full, " + join(Names, ", ")) << ": " << Reason << '\n';
  }
  for (const SurveyedKernel &Kernel : S.Kernels)
    if (!Kernel.BudgetNote.empty())
      OS << formatv("  {0}: {1}\n", Kernel.Name, Kernel.BudgetNote);
}

static void printSummary(raw_ostream &OS, const Survey &S) {
  SurveySummary Sum = S.summary();
  if (!Sum.Mean)
    return;
  OS << formatv(
      "{0} of {1} kernels measured on {2}: {3} at least 1.05 times as fast as stock clang -O3 on the "
      "source as written, {4} slower\n",
      Sum.Measured, S.Kernels.size(), S.Gpu, Sum.Faster, Sum.Slower);
  OS << formatv("geometric mean {0:F2}, median {1:F2}", *Sum.Mean, *Sum.Median);
  if (Sum.MeanWithoutThree)
    OS << formatv("; without the three best {0:F2}", *Sum.MeanWithoutThree);
  OS << '\n';
}

static void printWinners(raw_ostream &OS, const Survey &S) {
  if (none_of(S.Kernels, [](const SurveyedKernel &K) { return K.Speedup.has_value(); }))
    return;
  OS << "\nwinners:\n";
  for (const SurveyedKernel &Kernel : S.Kernels)
    if (Kernel.Speedup)
      OS << formatv("  {0}: {1}\n", Kernel.Name,
                    Kernel.Winner ? shown(*Kernel.Winner) : "(as written, stock clang)");
}

static void printFaults(raw_ostream &OS, const Survey &S) {
  for (const SurveyedKernel &Kernel : S.Kernels)
    if (!Kernel.Error.empty())
      OS << formatv("failed: {0}: {1}\n", Kernel.Name, Kernel.Error);
  OS << formatv("variants that crashed or computed something else: {0}\n", S.faults());
  for (const SurveyedKernel &Kernel : S.Kernels)
    for (const SurveyFault &Fault : Kernel.Faults)
      OS << formatv("  {0}: {1}: {2}: {3}\n", Kernel.Name, variantStatusName(Fault.Status),
                    shown(Fault.Variant), Fault.Message);
}

void printSurvey(raw_ostream &OS, const Survey &S) {
  Footnotes Notes;
  printMatrix(OS, S, Notes);
  OS << "\nA cell: what the best variant with this alone gained, variants applied of those that were "
        "compiled,\n+those that were not, the most frequent refusal of the rest; '-': not applicable, in the "
        "last column not\nmeasured.\n";
  if (!Notes.empty()) {
    OS << "Refusals:\n";
    Notes.print(OS);
  }
  printWinners(OS, S);
  OS << '\n';
  printSummary(OS, S);
  printNotMeasured(OS, S);
  printFaults(OS, S);
}

static json::Object toJSON(const SurveyCell &Cell) {
  json::Object Refusals;
  for (auto [Refusal, Count] : Cell.Refusals)
    Refusals[refusalName(Refusal)] = int64_t(Count);
  StringRef Outcome = Cell.Variants == 0      ? "not applicable"
                      : Cell.Applied != 0     ? "applied"
                      : Cell.Refusals.empty() ? "not compiled"
                                              : "refused";
  return json::Object{{"outcome", Outcome},
                      {"variants", int64_t(Cell.Variants)},
                      {"applied", int64_t(Cell.Applied)},
                      {"not_compiled", int64_t(Cell.NotCompiled)},
                      {"refusals", std::move(Refusals)},
                      {"speedup", Cell.Speedup},
                      {"best", Cell.Speedup ? json::Value(Cell.Best) : json::Value(nullptr)}};
}

static json::Object toJSON(const SurveyedKernel &Kernel, ArrayRef<std::string> Choices) {
  json::Object Alone;
  for (const std::string &Choice : Choices)
    Alone[Choice] = toJSON(cellOf(Kernel, Choice));
  json::Array Faults;
  for (const SurveyFault &Fault : Kernel.Faults)
    Faults.push_back(json::Object{
        {"variant", Fault.Variant}, {"status", variantStatusName(Fault.Status)}, {"message", Fault.Message}});
  return json::Object{{"kernel", Kernel.Name},
                      {"workload", Kernel.Workload},
                      {"error", Kernel.Error},
                      {"alone", std::move(Alone)},
                      {"all", toJSON(Kernel.All)},
                      {"speedup", Kernel.Speedup},
                      {"winner", Kernel.Winner},
                      {"as_written", Kernel.Speedup && !Kernel.Winner},
                      {"not_measured", Kernel.NotMeasured},
                      {"budget_note", Kernel.BudgetNote},
                      {"faults", std::move(Faults)}};
}

json::Value toJSON(const Survey &S) {
  json::Array Kernels;
  for (const SurveyedKernel &Kernel : S.Kernels)
    Kernels.push_back(toJSON(Kernel, S.Choices));
  SurveySummary Sum = S.summary();
  return json::Object{{"device", S.Device},
                      {"gpu", S.Gpu},
                      {"choices", json::Array(S.Choices)},
                      {"kernels", std::move(Kernels)},
                      {"measured", int64_t(Sum.Measured)},
                      {"faster", int64_t(Sum.Faster)},
                      {"slower", int64_t(Sum.Slower)},
                      {"mean_speedup", Sum.Mean},
                      {"median_speedup", Sum.Median},
                      {"mean_speedup_without_three_best", Sum.MeanWithoutThree},
                      {"faults", int64_t(S.faults())}};
}

} // namespace gpuprune
