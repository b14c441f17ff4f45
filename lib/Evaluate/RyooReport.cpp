//===- RyooReport.cpp - Section 5 of Ryoo et al., paper and ours ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RyooReport.h"
#include "PageParts.h"
#include "gpuprune/Evaluate/RyooFigures.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static std::string timesText(double Ratio) { return formatv(Ratio < 100 ? "{0:f2}X" : "{0:f0}X", Ratio); }

static constexpr StringLiteral AboutTable3 =
    "The paper compares a GeForce 8800 GTX with one thread of a Core 2 Extreme at 2.66 GHz, and multiplies "
    "matrices "
    "there by Intel's library; [the CPU versions](../evaluation.md#the-cpu-versions) here use none. ";

/// Without times of a CPU, that there are none.
static PageSection unmeasuredTable3(ArrayRef<RyooSpace> Spaces) {
  PageSection S{
      "Table 3: speed-up over CPU versions",
      (AboutTable3 + "Their times were not measured yet: there is no " + CpuTimes::File + " beside the data.")
          .str(),
      {"application", "paper, 1 thread", "here"},
      {}};
  for (const RyooSpace &Space : Spaces)
    S.Lines.push_back(
        {Space.Application->Title.str(), timesText(Space.Application->PaperSpeedUp), "not measured"});
  return S;
}

static PageSection table3(ArrayRef<RyooSpace> Spaces, const CpuTimes &Cpu) {
  std::string Threads = std::to_string(Cpu.Threads);
  PageSection S{"Table 3: speed-up over CPU versions, on " + Cpu.Cpu + " with " + Threads +
                    (Cpu.Threads == 1 ? " thread" : " threads"),
                formatv("{0}They are built with `{1}`. The GPU's time is that of the kernel, "
                        "without copies.",
                        AboutTable3, Cpu.Flags),
                {"application", "size", "optimum (ms)", "CPU, 1 thread (ms)", "CPU, all (ms)",
                 "paper, 1 thread", "here, 1 thread", "here, all"},
                {}};
  for (const RyooSpace &Space : Spaces) {
    const RyooApplication &A = *Space.Application;
    const std::map<unsigned, double> &Of = Cpu.Ms.at(A.Kernel.str());
    double Best = Space.timeOf(Space.Best), One = Of.at(1), All = Of.at(Cpu.Threads);
    S.Lines.push_back({A.Title.str(), A.Size.str(), msText(Best), msText(One), msText(All),
                       timesText(A.PaperSpeedUp), timesText(One / Best), timesText(All / Best)});
  }
  return S;
}

static PageSection table4(ArrayRef<RyooSpace> Spaces) {
  PageSection S{
      "Table 4: what the Pareto set of the published metrics leaves",
      "Evaluation time is one run of each configuration, on the GPU alone. Regret is how much longer "
      "the fastest selected configuration takes "
      "than the optimum, random that of as many configurations chosen at random (median of 100 "
      "seeds). In the paper the regret is 0 for all four.",
      {"application", "", "configurations", "evaluation (s)", "selected", "reduction", "selected (s)",
       "regret", "random"},
      {}};
  for (const RyooSpace &Space : Spaces) {
    const PaperTable4 &Paper = Space.Application->Paper;
    S.Lines.push_back({Space.Application->Title.str(), "paper", std::to_string(Paper.Configurations),
                       secondsText(Paper.EvaluationSeconds), std::to_string(Paper.Selected),
                       std::to_string(Paper.ReductionPercent) + " %", secondsText(Paper.SelectedSeconds),
                       percentText(0), ""});
    double Reduction = 1 - double(Space.Selected.size()) / double(Space.Measured.size());
    S.Lines.push_back({"", "here", std::to_string(Space.Measured.size()),
                       secondsText(Space.EvaluationMs / 1000), std::to_string(Space.Selected.size()),
                       percentText(Reduction), secondsText(Space.SelectedMs / 1000),
                       aboveText(Space.regret()), Space.RandomRegret ? aboveText(*Space.RandomRegret) : ""});
  }
  return S;
}

static PageSection searches(ArrayRef<RyooSpace> Spaces) {
  PageSection S{"What is measured: the published Pareto set, and the searches of gpuprune tune",
                "The Pareto set is that of Table 4; model-pareto is the one of two [modelled "
                "times](../model.md#two-modelled-times). Search, model-guided (the default), model-pareto "
                "and model are "
                "[strategies](../command-line.md#gpuprune-tune-workload) of `gpuprune tune`, "
                "replayed on the recorded times; model measures nothing.",
                {"application", "chosen by", "measured", "share", "measured (s)", "regret",
                 "within 3 % after", "within 1 % after"},
                {}};
  for (const RyooSpace &Space : Spaces) {
    auto Share = [&](size_t Measured) {
      return percentText(double(Measured) / double(Space.Measured.size()));
    };
    S.Lines.push_back({Space.Application->Title.str(), "Pareto set", std::to_string(Space.Selected.size()),
                       Share(Space.Selected.size()), secondsText(Space.SelectedMs / 1000),
                       aboveText(Space.regret()), "", ""});
    auto Count = [](size_t Measured) { return Measured ? std::to_string(Measured) : "-"; };
    for (const ReplayedSearch &Search : Space.Searches) {
      const Replayed &Found = Search.Found;
      S.Lines.push_back({"", Search.Name.str(), std::to_string(Found.Measured), Share(Found.Measured),
                         secondsText(Found.MeasuredMs / 1000),
                         Found.BestMs ? aboveText(*Found.BestMs / Space.timeOf(Space.Best)) : "-",
                         Count(Found.Until3), Count(Found.Until1)});
    }
  }
  return S;
}

static PageSection extremes(ArrayRef<RyooSpace> Spaces) {
  PageSection S{
      "Worst, as written, and optimum",
      "As written: the kernel's source by stock clang, in its author's launch. For MRI-FHD the paper has 235 "
      "% "
      "for the worst configuration and 17 % for the one that was optimised by hand.",
      {"application", "optimum (ms)", "worst (ms)", "above optimum", "as written (ms)", "above optimum"},
      {}};
  for (const RyooSpace &Space : Spaces) {
    double Best = Space.timeOf(Space.Best), Worst = Space.timeOf(Space.Worst);
    std::optional<double> Stock = Space.Stock.OnGpu.MedianMs;
    S.Lines.push_back({Space.Application->Title.str(), msText(Best), msText(Worst), aboveText(Worst / Best),
                       Stock ? msText(*Stock) : "-", Stock ? aboveText(*Stock / Best) : "-"});
  }
  return S;
}

static PageSection optima(ArrayRef<RyooSpace> Spaces) {
  PageSection S{"Optima", "", {"application", "optimum", "fastest on the Pareto set"}, {}};
  auto Text = [](const RyooSpace &Space, size_t Row) {
    std::string Variant = Space.Rows[Row].text();
    return Variant.empty() ? "as written" : Variant;
  };
  for (const RyooSpace &Space : Spaces)
    S.Lines.push_back({Space.Application->Title.str(), Text(Space, Space.Best),
                       Space.Best == Space.BestSelected ? "the same" : Text(Space, Space.BestSelected)});
  return S;
}

static PageSection clusters(ArrayRef<RyooSpace> Spaces) {
  PageSection S{
      "Section 5.2: configurations with equal metrics",
      "A cluster is two configurations or more whose Efficiency and Utilization are equal to a percent. Its "
      "spread is how much longer its "
      "slowest takes than its fastest. For MRI-FHD the paper has clusters of 7, a spread of at most 7.1 %, "
      "and in the cluster of the optimum 5.4 % for the slowest and 0.2 % for the median.",
      {"application", "clusters", "largest", "largest spread", "median spread", "with optimum", "slowest",
       "median"},
      {}};
  for (const RyooSpace &Space : Spaces) {
    const ClusterSpread &C = Space.Clusters;
    S.Lines.push_back({Space.Application->Title.str(), std::to_string(C.Clusters), std::to_string(C.Largest),
                       aboveText(C.LargestSpread), aboveText(C.MedianSpread), std::to_string(C.OfOptimum),
                       aboveText(C.SlowestOfOptimum), aboveText(C.MedianOfOptimum)});
  }
  return S;
}

static std::vector<PageSection> sectionsOf(ArrayRef<RyooSpace> Spaces, const std::optional<CpuTimes> &Cpu) {
  return {Cpu ? table3(Spaces, *Cpu) : unmeasuredTable3(Spaces),
          table4(Spaces),
          searches(Spaces),
          extremes(Spaces),
          clusters(Spaces),
          optima(Spaces)};
}

void printRyoo(raw_ostream &OS, ArrayRef<RyooSpace> Spaces, const std::optional<CpuTimes> &Cpu) {
  printSections(OS, sectionsOf(Spaces, Cpu));
}

static std::vector<PageFigure> figuresOf(ArrayRef<RyooSpace> Spaces) {
  auto SpaceOf = [&](StringRef Kernel) -> const RyooSpace & {
    return *find_if(Spaces, [&](const RyooSpace &S) { return S.Application->Kernel == Kernel; });
  };
  return {{"ryoo-figure3.svg",
           "Figure 3: matrix multiplication. The optimum is circled if it is among these.",
           drawMatmulTimes(SpaceOf("matmul"))},
          {"ryoo-figure4.svg",
           "Figure 4: SAD. A line varies threads per block, with other parameters constant; the optimum is "
           "circled.",
           drawSadTimes(SpaceOf("sad"))},
          {"ryoo-figure5.svg", "Figure 5: CP, metrics and time by results per thread, coalesced output.",
           drawCpTiling(SpaceOf("cp"))},
          {"ryoo-figure6.svg",
           "Figure 6: the four spaces in the plane of the metrics. A line joins the Pareto set; the optimum "
           "is circled.",
           drawMetricPlanes(Spaces)}};
}

std::vector<GeneratedFile> ryooPage(ArrayRef<RyooSpace> Spaces, const std::optional<CpuTimes> &Cpu,
                                    StringRef DataFile) {
  std::string Head = formatv("# Section 5 of Ryoo et al., paper and here\n\n"
                             "Made of [{0}]({0}){1} by `gpuprune evaluate ryoo`, which is what to change: "
                             "[evaluation.md](../evaluation.md) tells what was measured and how.\n",
                             DataFile, Cpu ? formatv(" and [{0}]({0})", CpuTimes::File).str() : "");
  return makePage("ryoo.md", Head, sectionsOf(Spaces, Cpu), figuresOf(Spaces));
}

Expected<std::vector<RyooSpace>> evaluateRyoo(ArrayRef<RecordedKernel> Table) {
  std::vector<RyooSpace> Spaces;
  for (const RyooApplication &Application : ryooApplications()) {
    const auto *Kernel =
        find_if(Table, [&](const RecordedKernel &K) { return K.Name == Application.Kernel; });
    if (Kernel == Table.end())
      return makeError(ErrorKind::Input, "the table lacks the kernel " + Application.Kernel);
    Expected<RyooSpace> Space = evaluateSpace(Application, *Kernel);
    if (!Space)
      return Space.takeError();
    Spaces.push_back(std::move(*Space));
  }
  return Spaces;
}

} // namespace gpuprune
