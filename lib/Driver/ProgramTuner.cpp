//===- ProgramTuner.cpp - Tunes the recorded kernels of a program --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ProgramTuner.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

using Clock = std::chrono::steady_clock;

/// A kernel for each symbol, by the launch of its that took most; \p All are in that order.
static std::vector<ProgramKernel> kernelsOf(ArrayRef<RecordedLaunch> All) {
  std::vector<ProgramKernel> Kernels;
  std::map<std::string, size_t> Known;
  for (const auto &[Folder, R] : All) {
    auto [At, IsNew] = Known.try_emplace(R.Kernel, Kernels.size());
    if (IsNew) {
      ProgramKernel &Kernel = Kernels.emplace_back();
      Kernel.Name = kernelFullName(R.Kernel);
      Kernel.Recording = Folder;
    }
    Kernels[At->second].Launches += R.Launches;
    Kernels[At->second].GpuMs += R.GpuMs;
  }
  sort(Kernels, [](const ProgramKernel &A, const ProgramKernel &B) {
    return std::tie(B.GpuMs, A.Recording) < std::tie(A.GpuMs, B.Recording);
  });
  return Kernels;
}

/// What of \p Seconds goes to the first of \p Kernels: its share of their GPU time.
static double shareOf(double Seconds, ArrayRef<ProgramKernel> Kernels) {
  double All = 0;
  for (const ProgramKernel &Kernel : Kernels)
    All += Kernel.GpuMs;
  return All > 0 ? Seconds * Kernels.front().GpuMs / All : Seconds / double(Kernels.size());
}

static void tuneKernel(TuneOptions Options, StringRef Records, Progress &Shown, ProgramKernel &Kernel) {
  Options.Workload = Kernel.Recording;
  Expected<TuneReport> Report = Tuner(Options, Shown).run();
  if (!Report) {
    Kernel.Problem = toString(Report.takeError());
    return;
  }
  Kernel.Report = std::move(*Report);
  Kernel.Problem =
      !Kernel.Report->AuthorFailure.empty() ? Kernel.Report->AuthorFailure : Kernel.Report->NotMeasured;
  if (!Kernel.Problem.empty())
    return;
  Expected<WrittenRecord> Written = writeRecord(Options, *Kernel.Report, Records);
  if (Written)
    Kernel.Written = std::move(*Written);
  else
    Kernel.Problem = toString(Written.takeError());
}

Expected<ProgramReport> tuneProgram(TuneOptions Options, StringRef Folder, StringRef Records,
                                    Progress &Shown) {
  Clock::time_point Begun = Clock::now();
  ProgramReport Report;
  Report.Folder = Folder.str();
  std::vector<RecordedLaunch> All = readRecordings(Folder, Report.Problems);
  if (All.empty() && Report.Problems.empty())
    return makeError(
        ErrorKind::Input,
        formatv("nothing was recorded in '{0}': run the program with 'gpuprune record -- PROGRAM'", Folder));
  Report.Kernels = kernelsOf(All);
  std::optional<double> Seconds = Options.BudgetSeconds;
  Options.Check = CheckMode::Off;
  for (size_t I = 0; I != Report.Kernels.size(); ++I) {
    ProgramKernel &Kernel = Report.Kernels[I];
    Shown.say(formatv("kernel {0} of {1}: {2}", I + 1, Report.Kernels.size(), Kernel.Name));
    if (Seconds) {
      std::chrono::duration<double> Spent = Clock::now() - Begun;
      Options.BudgetSeconds =
          shareOf(std::max(0.0, *Seconds - Spent.count()), ArrayRef(Report.Kernels).drop_front(I));
    }
    tuneKernel(Options, Records, Shown, Kernel);
  }
  return Report;
}

/// What the kernel's launches take once its record is applied.
static double msWithRecord(const ProgramKernel &Kernel) {
  return Kernel.Written.isWritten() ? Kernel.GpuMs * Kernel.Written.Times->Tuned / Kernel.Written.Times->Stock
                                    : Kernel.GpuMs;
}

std::optional<double> ProgramReport::tunedMs() const {
  double Ms = 0;
  bool Any = false;
  for (const ProgramKernel &Kernel : Kernels) {
    Ms += msWithRecord(Kernel);
    Any |= Kernel.Report && !Kernel.Report->Gpu.empty();
  }
  return Any ? std::optional<double>(Ms) : std::nullopt;
}

json::Value toJSON(const ProgramReport &Report) {
  json::Array Kernels;
  for (const ProgramKernel &Kernel : Report.Kernels) {
    json::Object Row{{"kernel", Kernel.Name},         {"recording", Kernel.Recording},
                     {"launches", Kernel.Launches},   {"gpu_ms", Kernel.GpuMs},
                     {"record", Kernel.Written.Path}, {"variant", Kernel.Written.Row},
                     {"note", Kernel.Written.Why},    {"problem", json::fixUTF8(Kernel.Problem)}};
    if (Kernel.Report) {
      std::optional<bool> Same = isReproduced(Kernel.Report->Reproduced);
      Row["reproduced"] = Same ? json::Value(*Same) : json::Value(nullptr);
      Row["report"] = toJSON(*Kernel.Report);
    }
    Kernels.push_back(std::move(Row));
  }
  json::Object All{
      {"folder", Report.Folder}, {"kernels", std::move(Kernels)}, {"problems", json::Array(Report.Problems)}};
  if (std::optional<double> Tuned = Report.tunedMs())
    All["tuned_gpu_ms"] = *Tuned;
  return All;
}

static std::string variantName(const std::string &Text) {
  return Text.empty() ? "(as written, prepared)" : Text;
}

static std::vector<std::string> rowOf(const ProgramKernel &Kernel) {
  const WrittenRecord &Written = Kernel.Written;
  std::string What = !Kernel.Problem.empty() ? "not tuned: " + Kernel.Problem
                     : Written.isWritten()
                         ? variantName(Written.Row) + (Written.Why.empty() ? "" : "; " + Written.Why)
                         : "no record: " + Written.Why;
  auto Ms = [&](double RecordTimes::*Of) {
    return Written.isWritten() ? formatv("{0:f3}", *Written.Times.*Of).str() : std::string("-");
  };
  std::string Gain = Written.isWritten()
                         ? formatv("{0:f2}x", Written.Times->Stock / Written.Times->Tuned).str()
                         : std::string("-");
  return {Kernel.Name,
          utostr(Kernel.Launches),
          formatv("{0:f3}", Kernel.GpuMs),
          Ms(&RecordTimes::Stock),
          Ms(&RecordTimes::Tuned),
          Gain,
          What};
}

void printProgram(raw_ostream &OS, const ProgramReport &Report) {
  ColumnPrinter Table({"kernel", "launches", "all ms", "one ms", "tuned ms", "gain", "variant"});
  double All = 0;
  for (const ProgramKernel &Kernel : Report.Kernels) {
    Table.add(rowOf(Kernel));
    All += Kernel.GpuMs;
  }
  Table.print(OS);
  for (const ProgramKernel &Kernel : Report.Kernels)
    if (Kernel.Report && isReproduced(Kernel.Report->Reproduced) == false)
      OS << formatv("not reproduced: {0}: {1}\n", Kernel.Name, reproductionText(Kernel.Report->Reproduced));
  for (const std::string &Problem : Report.Problems)
    OS << "not read: " << Problem << '\n';
  if (std::optional<double> Tuned = Report.tunedMs())
    OS << formatv(
        "\nall recorded launches: {0:f3} ms, with the tuning records {1:f3} ms, {2:f2} times as fast\n", All,
        *Tuned, *Tuned > 0 ? All / *Tuned : 1.0);
}

} // namespace gpuprune
