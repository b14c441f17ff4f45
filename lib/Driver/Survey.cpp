//===- Survey.cpp - What each pass does to each kernel --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Survey.h"
#include "PreparedKernel.h"
#include "SurveyShares.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Report/ReportPage.h"
#include "gpuprune/Search/Alone.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include <atomic>

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

/// So many kernels are prepared at once: much of preparing is done by one thread, and one kernel alone leaves
/// a third of 16 cores idle. Where threads were counted out, no more than these are used.
static size_t preparedAtOnce(const SurveyOptions &Options) {
  static constexpr size_t Most = 3, CoresForEach = 4;
  size_t Cores = hardware_concurrency().compute_thread_count();
  return Options.Tuning.Jobs ? 1 : std::clamp<size_t>(Cores / CoresForEach, 1, Most);
}

/// Less than this is not worth beginning with.
static constexpr double ShortestBudget = 0.1;

static SurveyedKernel failed(TakenError Problem) {
  SurveyedKernel Result;
  Result.Error = std::move(Problem.Text);
  Result.ErrorOf = Problem.Kind;
  return Result;
}

/// What \p Report tells of the kernel in \p Path; what all kernels share goes to \p Result.
static SurveyedKernel surveyKernel(StringRef Path, Expected<TuneReport> Report, bool Keep, Survey &Result) {
  if (!Report)
    return failed(takeError(Report.takeError()));
  Result.Device = Report->Device;
  if (!Report->Gpu.empty())
    Result.Gpu = Report->Gpu;
  SurveyedKernel Kernel = surveyOf(nameOf(Path), *Report);
  if (Keep)
    Kernel.Report = briefReport(toJSON(*Report));
  return Kernel;
}

/// Passes in the order of the registry, which is that of a pipeline.
static std::vector<std::string> choices() {
  std::vector<std::string> Result;
  for (const PassDescription *Pass : passDescriptions())
    if (Pass->Role == PassRole::Choice)
      Result.push_back(Pass->Name.str());
  Result.push_back(BlockChoice.str());
  Result.push_back(DefinesChoice.str());
  return Result;
}

namespace {

/// Tunes kernels one after another; while one is measured, the next ones are prepared.
class Surveyor {
public:
  Surveyor(const SurveyOptions &Options, ArrayRef<std::string> Paths, Progress &Shown)
      : Options(Options), Paths(Paths), Shown(Shown),
        Shares{Options.BudgetSeconds, Options.Tuning.BudgetSeconds, preparedAtOnce(Options)} {
    Result.Choices = choices();
    Result.Kernels.resize(Paths.size());
    Used.resize(Paths.size());
    for (auto [Kernel, Path] : zip_equal(Result.Kernels, Paths)) {
      Kernel.Name = nameOf(Path);
      Kernel.Workload = Path;
    }
  }

  /// The kernels of those numbers. What a later visit finds takes the place of what is known.
  void visit(ArrayRef<size_t> Numbers);
  Survey take() { return std::move(Result); }
  const Survey &found() const { return Result; }
  /// Those that their part of the budget was too small for, and that have not used up their own.
  std::vector<size_t> unfinished() const;
  /// Seconds that are left of the budget, if there is one.
  double rest() const { return Shares.rest(spent()); }

private:
  const SurveyOptions &Options;
  ArrayRef<std::string> Paths;
  Progress &Shown;
  SurveyShares Shares;
  Budget::Clock::time_point Begun = Budget::Clock::now();
  Survey Result;
  std::vector<double> Used;         ///< Seconds, of each kernel.
  double PreparingSeconds = 0;      ///< Of those that were measured, and the current one.
  bool HasReport = false;           ///< Of a kernel, which shows whether there is a GPU.
  std::atomic<size_t> Measured = 0; ///< Read by what is being prepared, as is the next.
  std::atomic<double> MeasuringSeconds = 0;

  struct Waiting {
    size_t Number;
    std::unique_ptr<PreparedKernel> Kernel;
  };
  using Queue = std::vector<Waiting>;
  std::unique_ptr<PreparedKernel> prepare(ArrayRef<size_t> Left, std::shared_future<void> Before,
                                          bool IsFirst);
  /// Seconds since the survey began.
  double spent() const { return std::chrono::duration<double>(Budget::Clock::now() - Begun).count(); }
  SurveyShares::Progress progress(size_t Left) const { return {spent(), Left, Measured, MeasuringSeconds}; }
  bool mayMeasure() const;
  size_t mostAhead() const;
  double secondsToPrepare(const Queue &Ahead) const;
  void visitOne(size_t Number, PreparedKernel *Current, std::optional<double> MostSeconds);
};

} // namespace

/// The first of \p Left, once \p Before is over; \p IsFirst: of the visit.
std::unique_ptr<PreparedKernel> Surveyor::prepare(ArrayRef<size_t> Left, std::shared_future<void> Before,
                                                  bool IsFirst) {
  TuneOptions Tuning = Options.Tuning;
  Tuning.Workload = Paths[Left.front()];
  bool Behind = !IsFirst && mayMeasure();
  auto Ask = [this, Tuning = std::move(Tuning), Kernels = Left.size()]() -> std::optional<TuneOptions> {
    TuneOptions InTime = Tuning;
    InTime.BudgetSeconds = Shares.toPrepare(progress(Kernels));
    if (InTime.BudgetSeconds && *InTime.BudgetSeconds < ShortestBudget)
      return std::nullopt;
    return InTime;
  };
  return std::make_unique<PreparedKernel>(std::move(Ask), std::move(Before), Shown, Behind);
}

bool Surveyor::mayMeasure() const {
  return Options.Tuning.StopAfter >= Phase::Measure && (!HasReport || !Result.Gpu.empty());
}

/// Kernels that may be ready while one is measured: a long measurement leaves the cores no time to waste, and
/// what is ready takes memory (some 100 MB each).
size_t Surveyor::mostAhead() const {
  if (!mayMeasure())
    return 1;
  return HasReport ? 12 : Shares.AtOnce;
}

/// How long the cores are likely to be busy with \p Ahead.
double Surveyor::secondsToPrepare(const Queue &Ahead) const {
  size_t Left = count_if(Ahead, [](const Waiting &Each) { return !Each.Kernel->isReady(); });
  return double(Left) * PreparingSeconds / double((Measured + 1) * Shares.AtOnce);
}

void Surveyor::visit(ArrayRef<size_t> Numbers) {
  Queue Ahead;                                // In the order of the numbers.
  std::vector<std::shared_future<void>> Over; // Of all that were begun.
  auto PrepareTo = [&](size_t End) {
    for (size_t Next = Over.size(); Next < std::min(End, Numbers.size()); ++Next) {
      std::shared_future<void> Before;
      if (Next >= Shares.AtOnce)
        Before = Over[Next - Shares.AtOnce];
      Ahead.push_back({Numbers[Next], prepare(Numbers.drop_front(Next), std::move(Before), Next == 0)});
      Over.push_back(Ahead.back().Kernel->over());
    }
  };
  for (size_t I = 0; I != Numbers.size(); ++I) {
    PrepareTo(I + 1 + mostAhead());
    // A kernel that takes long to prepare does not keep the GPU from the next ones.
    auto Next = find_if(Ahead, [](const Waiting &Each) { return Each.Kernel->isReady(); });
    if (Next == Ahead.end())
      Next = Ahead.begin();
    auto [Number, Current] = std::move(*Next);
    Ahead.erase(Next);
    Shown.say(formatv("kernel {0} of {1}: {2}", Number + 1, Paths.size(), Result.Kernels[Number].Name));
    bool HadTime = Current->await();
    PreparingSeconds += Current->seconds();
    visitOne(Number, HadTime ? Current.get() : nullptr,
             Shares.toMeasure(progress(Numbers.size() - I), Current->seconds(), secondsToPrepare(Ahead)));
    ++Measured;
  }
}

/// \p Current: null where there was no time to prepare it.
void Surveyor::visitOne(size_t Number, PreparedKernel *Current, std::optional<double> MostSeconds) {
  SurveyedKernel &Known = Result.Kernels[Number];
  Budget::Clock::time_point Began = Budget::Clock::now();
  SurveyedKernel Kernel =
      Current
          ? surveyKernel(Known.Workload, Current->measure(MostSeconds), Options.KeepReports, Result)
          : failed({ErrorKind::Runner,
                    "its part of the budget was used up before it was its turn; give more with --budget"});
  double Measuring = std::chrono::duration<double>(Budget::Clock::now() - Began).count();
  MeasuringSeconds = MeasuringSeconds + Measuring;
  Used[Number] += (Current ? Current->seconds() : 0) + Measuring;
  HasReport |= Kernel.Error.empty();
  Kernel.Name = Known.Name;
  Kernel.Workload = Known.Workload;
  if (!Kernel.Error.empty())
    Shown.say(Known.Name + ": " + Kernel.Error);
  Known = afterVisit(std::move(Known), std::move(Kernel));
}

static bool isFaulty(ArrayRef<SurveyFault> Faults, StringRef Variant) {
  return any_of(Faults, [&](const SurveyFault &Fault) { return Fault.Variant == Variant; });
}

/// Whether \p Now, of a later visit, says more of a kernel than \p Before.
static bool isBetterKnown(const SurveyedKernel &Now, const SurveyedKernel &Before) {
  if (!Before.Speedup)
    return Now.Error.empty() || Before.BudgetNote.empty();
  return Now.Speedup && (Now.BudgetNote.empty() || *Now.Speedup >= *Before.Speedup);
}

/// Takes back what was said of variants in which another visit found a fault.
static void withdrawFaulty(SurveyedKernel &Kernel) {
  for (auto &[Choice, Cell] : Kernel.Alone)
    if (Cell.Speedup && isFaulty(Kernel.Faults, Cell.Best))
      Cell.Speedup.reset();
  if (!Kernel.Winner || !isFaulty(Kernel.Faults, *Kernel.Winner))
    return;
  Kernel.NotMeasured =
      "what was the fastest, '" + *Kernel.Winner + "', was found to be faulty in another visit";
  Kernel.Speedup = Kernel.All.Speedup = std::nullopt;
  Kernel.Winner.reset();
  Kernel.Report.reset();
}

SurveyedKernel afterVisit(SurveyedKernel Before, SurveyedKernel Now) {
  bool IsWithdrawn = Before.Winner && isFaulty(Now.Faults, *Before.Winner);
  bool IsBetter = IsWithdrawn || isBetterKnown(Now, Before);
  SurveyedKernel &Known = IsBetter ? Now : Before;
  for (SurveyFault &Fault : (IsBetter ? Before : Now).Faults)
    if (!isFaulty(Known.Faults, Fault.Variant))
      Known.Faults.push_back(std::move(Fault));
  withdrawFaulty(Known);
  return std::move(Known);
}

std::vector<size_t> cutShort(const Survey &S) {
  std::vector<size_t> Numbers;
  for (const auto &[Number, Kernel] : enumerate(S.Kernels))
    if (Kernel.Error.empty() && !Kernel.RunnerFailed && !Kernel.BudgetNote.empty())
      Numbers.push_back(Number);
  return Numbers;
}

std::vector<size_t> Surveyor::unfinished() const {
  static constexpr double UsedUp = 0.9; // A visit ends somewhat before its time.
  std::vector<size_t> Numbers = cutShort(Result);
  if (std::optional<double> Each = Options.Tuning.BudgetSeconds)
    erase_if(Numbers, [&](size_t Number) { return Used[Number] > UsedUp * *Each; });
  return Numbers;
}

/// Before the first kernel what would be said of each.
static Error checkOptions(const TuneOptions &Tuning) {
  if (Tuning.Kind == SearchKind::Model)
    return makeError(ErrorKind::Usage, "--strategy=model times nothing, and a survey shows what was timed: "
                                       "choose model-guided, or 'gpuprune tune' one kernel at a time");
  return checkStrategy(Tuning);
}

Expected<Survey> survey(const SurveyOptions &Options, Progress &Shown) {
  // Visiting again takes what has been measured from the database and goes on from there.
  static constexpr double LeastForAnother = 2; // Seconds a kernel.
  static constexpr unsigned MostVisits = 3;
  if (Error E = checkOptions(Options.Tuning))
    return std::move(E);
  Expected<std::vector<std::string>> Paths = findWorkloads(Options.Places);
  if (!Paths)
    return Paths.takeError();
  Surveyor Run(Options, *Paths, Shown);
  std::vector<size_t> Numbers(Paths->size());
  std::iota(Numbers.begin(), Numbers.end(), 0);
  Run.visit(Numbers);
  for (unsigned Visit = 1; Visit != MostVisits && !Run.found().Gpu.empty(); ++Visit) {
    Numbers = Run.unfinished();
    if (Numbers.empty() || Run.rest() < LeastForAnother * double(Numbers.size()))
      break;
    Shown.say(formatv("{0} kernel{1} had too small a part of the budget; {2:F0} s are left for {3}",
                      Numbers.size(), Numbers.size() == 1 ? "" : "s", Run.rest(),
                      Numbers.size() == 1 ? "it" : "them"));
    Run.visit(Numbers);
  }
  return Run.take();
}

Error problemsOf(const Survey &S) {
  if (size_t Faults = S.faults())
    return makeError(ErrorKind::Internal,
                     formatv("{0} crashed or computed something else; the survey lists {1}",
                             counted(Faults, "variant"), Faults == 1 ? "it" : "them"));
  for (const SurveyedKernel &Kernel : S.Kernels) {
    if (Kernel.ErrorOf)
      return makeError(*Kernel.ErrorOf, Kernel.Name + ": " + Kernel.Error);
    if (Kernel.RunnerFailed)
      return makeError(ErrorKind::Runner, Kernel.Name + ": " + Kernel.NotMeasured);
  }
  return Error::success();
}

} // namespace gpuprune
