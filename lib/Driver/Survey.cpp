//===- Survey.cpp - What each pass does to each kernel --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Survey.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Search/Alone.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static std::string inside(StringRef Folder, StringRef Name) {
  SmallString<128> Path = Folder;
  sys::path::append(Path, Name);
  return std::string(Path);
}

static bool isWorkload(StringRef Path) {
  return isFrontendBundle(Path) || sys::fs::exists(inside(Path, "workload.yaml"));
}

/// The workloads that lie in \p Folder itself, not deeper.
static Expected<std::vector<std::string>> workloadsIn(const std::string &Folder) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC; I.increment(EC))
    if (isWorkload(I->path()))
      Found.push_back(I->path());
  if (EC)
    return makeError(ErrorKind::Io, formatv("cannot read the folder '{0}': {1}", Folder, EC.message()));
  if (Found.empty())
    return makeError(ErrorKind::Input,
                     formatv("'{0}' is neither a workload nor a front-end bundle, and no folder "
                             "in it is: expected folders with workload.yaml or frontend.json",
                             Folder));
  llvm::sort(Found);
  return Found;
}

Expected<std::vector<std::string>> findWorkloads(ArrayRef<std::string> Places) {
  std::vector<std::string> All;
  StringSet<> Seen;
  for (const std::string &Place : Places) {
    std::vector<std::string> Found = {Place};
    // What is neither file nor folder is told by the one who reads it.
    if (sys::fs::is_directory(Place) && !isWorkload(Place)) {
      Expected<std::vector<std::string>> Within = workloadsIn(Place);
      if (!Within)
        return Within.takeError();
      Found = std::move(*Within);
    }
    for (std::string &Path : Found)
      if (Seen.insert(Path).second)
        All.push_back(std::move(Path));
  }
  return All;
}

/// The folder's name, "matmul" of kernels/matmul/ and of kernels/matmul/workload.yaml.
static std::string nameOf(StringRef Path) {
  SmallString<128> Absolute = Path;
  if (sys::fs::make_absolute(Absolute))
    Absolute = Path; // There is no current folder; the path as given names it as well.
  sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  if (sys::path::filename(Absolute) == "workload.yaml")
    sys::path::remove_filename(Absolute);
  return sys::path::filename(Absolute).str();
}

namespace {

/// Gives each kernel its part of what is left.
class SharedBudget {
public:
  explicit SharedBudget(const SurveyOptions &Options) : Options(Options), Begun(Budget::Clock::now()) {}

  /// For the next of \p Left kernels; nothing: no bound. 0: nothing is left.
  std::optional<double> next(size_t Left) const {
    std::optional<double> Each = Options.Tuning.BudgetSeconds;
    if (!Options.BudgetSeconds)
      return Each;
    std::chrono::duration<double> Spent = Budget::Clock::now() - Begun;
    double Rest = std::max(*Options.BudgetSeconds - Spent.count(), 0.0) / double(Left);
    return Each ? std::min(*Each, Rest) : Rest;
  }

private:
  const SurveyOptions &Options;
  Budget::Clock::time_point Begun;
};

} // namespace

static SurveyedKernel failed(TakenError Problem) {
  SurveyedKernel Result;
  Result.Error = std::move(Problem.Text);
  Result.ErrorOf = Problem.Kind;
  return Result;
}

/// Less than this is not worth beginning with.
static constexpr double ShortestBudget = 0.1;

static SurveyedKernel surveyKernel(const std::string &Path, TuneOptions Tuning, Progress &Shown,
                                   Survey &Result) {
  Tuning.Workload = Path;
  if (Tuning.BudgetSeconds && *Tuning.BudgetSeconds < ShortestBudget)
    return failed({ErrorKind::Runner, "the budget was used up before it was its turn"});
  Expected<TuneReport> Report = Tuner(std::move(Tuning), Shown).run();
  if (!Report)
    return failed(takeError(Report.takeError()));
  Result.Device = Report->Device;
  if (!Report->Gpu.empty())
    Result.Gpu = Report->Gpu;
  return surveyOf(nameOf(Path), *Report);
}

/// Passes in the order of the registry, which is that of a pipeline.
static std::vector<std::string> choices() {
  std::vector<std::string> Result;
  for (StringRef Name : passNames())
    if (Name != "gpu-prepare" && !Name.starts_with("print<"))
      Result.push_back(Name.str());
  Result.push_back(BlockChoice.str());
  Result.push_back(DefinesChoice.str());
  return Result;
}

Expected<Survey> survey(const SurveyOptions &Options, Progress &Shown) {
  Expected<std::vector<std::string>> Paths = findWorkloads(Options.Places);
  if (!Paths)
    return Paths.takeError();
  Survey Result;
  Result.Choices = choices();
  SharedBudget Shared(Options);
  for (const auto &[Index, Path] : enumerate(*Paths)) {
    std::string Name = nameOf(Path);
    Shown.say(formatv("kernel {0} of {1}: {2}", Index + 1, Paths->size(), Name));
    TuneOptions Tuning = Options.Tuning;
    Tuning.BudgetSeconds = Shared.next(Paths->size() - Index);
    SurveyedKernel Kernel = surveyKernel(Path, std::move(Tuning), Shown, Result);
    Kernel.Name = Name;
    Kernel.Workload = Path;
    if (!Kernel.Error.empty())
      Shown.say(Name + ": " + Kernel.Error);
    Result.Kernels.push_back(std::move(Kernel));
  }
  return Result;
}

Error problemsOf(const Survey &S) {
  if (size_t Faults = S.faults())
    return makeError(
        ErrorKind::Internal,
        formatv("{0} variants crashed or computed something else; the survey lists them", Faults));
  for (const SurveyedKernel &Kernel : S.Kernels) {
    if (Kernel.ErrorOf)
      return makeError(*Kernel.ErrorOf, Kernel.Name + ": " + Kernel.Error);
    if (Kernel.RunnerFailed)
      return makeError(ErrorKind::Runner, Kernel.Name + ": " + Kernel.NotMeasured);
  }
  return Error::success();
}

} // namespace gpuprune
