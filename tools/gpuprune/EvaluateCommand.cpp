//===- EvaluateCommand.cpp - gpuprune evaluate ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EvaluateCommand.h"
#include "SubCommands.h"
#include "gpuprune/Driver/GpuPresence.h"
#include "gpuprune/Evaluate/LiangReport.h"
#include "gpuprune/Evaluate/RyooReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Variant/FrontendBundle.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<std::string> EvaluatedData(
    "data",
    cl::desc("Recorded variants, as test/benchmark/collect-exhaustive writes them, also\n"
             "compressed by xz (default: docs/results/h100-ryoo.csv.xz, or h200-liang.csv.xz);\n"
             "for ryoo also the times of CPU versions, cpu-ryoo.csv in the same folder"),
    cl::value_desc("FILE"), cl::sub(EvaluateCommand), cl::cat(Category));
static cl::opt<std::string>
    MeasureFolder("measure",
                  cl::desc("Measure the spaces of this folder of workloads or front-end bundles,\n"
                           "in place of recorded data (kernels: those of the sources)"),
                  cl::value_desc("DIR"), cl::sub(EvaluateCommand), cl::cat(Category));
static cl::opt<std::string>
    PageFolder("page", cl::desc("Also write the page PAPER.md and its figures into this folder"),
               cl::value_desc("DIR"), cl::sub(EvaluateCommand), cl::cat(Category));

/// LLVM reads no xz.
static Expected<std::string> readData(StringRef Path) {
  if (!Path.ends_with(".xz"))
    return readFile(Path);
  if (Expected<uint64_t> Bytes = sizeOfRegularFile(Path); !Bytes)
    return makeError(ErrorKind::Io,
                     "cannot read '" + Path + "': " + toString(Bytes.takeError()) +
                         "; start in the folder of the sources, or name the table with --data");
  ErrorOr<std::string> Xz = sys::findProgramByName("xz");
  if (!Xz)
    return makeError(ErrorKind::Toolchain, "xz, which decompresses " + Path + ", is not on the PATH");
  Expected<ProcessOutput> Output = runProcess({*Xz, "-dc", "--", Path.str()});
  if (!Output)
    return Output.takeError();
  if (Output->ExitCode != 0) { // Its message follows what it has decompressed before.
    StringRef Said = StringRef(Output->Text).rtrim();
    size_t Begin = Said.rfind("xz: ");
    return makeError(ErrorKind::Input,
                     Path + ": " + (Begin == StringRef::npos ? "xz failed" : Said.substr(Begin)));
  }
  return std::move(Output->Text);
}

static Error writePageFiles(ArrayRef<GeneratedFile> Files) {
  if (std::error_code EC = sys::fs::create_directories(PageFolder))
    return makeError(ErrorKind::Io, "cannot make the folder '" + PageFolder + "': " + EC.message());
  for (const GeneratedFile &File : Files) {
    SmallString<128> Path(PageFolder);
    sys::path::append(Path, File.Name);
    if (Error E = writeFile(Path, File.Text))
      return E;
  }
  return Error::success();
}

namespace {

/// What is made of a table of one paper's spaces.
template <typename Space> struct Evaluation {
  Expected<std::vector<Space>> (*Evaluate)(ArrayRef<RecordedKernel> Table);
  function_ref<void(raw_ostream &OS, ArrayRef<Space> Spaces)> Print;
  function_ref<std::vector<GeneratedFile>(ArrayRef<Space> Spaces, StringRef DataFile)> Page;
};

} // namespace

template <typename Space>
static Error evaluateFile(StringRef Path, const Evaluation<Space> &Of, raw_ostream &OS) {
  Expected<std::string> Text = readData(Path);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<RecordedKernel>> Table = readRecordedTable(*Text);
  Expected<std::vector<Space>> Spaces = Table ? Of.Evaluate(*Table) : Table.takeError();
  if (!Spaces) {
    TakenError Taken = takeError(Spaces.takeError());
    return makeError(Taken.Kind, Path + ": " + Taken.Text);
  }
  Of.Print(OS, *Spaces);
  return PageFolder.empty() ? Error::success() : writePageFiles(Of.Page(*Spaces, sys::path::filename(Path)));
}

/// Nothing where there is no such file beside \p Table.
static Expected<std::optional<CpuTimes>> readCpuTimesBeside(StringRef Table) {
  SmallString<128> Path(sys::path::parent_path(Table));
  sys::path::append(Path, CpuTimes::File);
  if (!sys::fs::exists(Path))
    return std::nullopt;
  Expected<std::string> Text = readRegularFile(Path);
  if (!Text)
    return makeError(ErrorKind::Io, "cannot read '" + Path + "': " + toString(Text.takeError()));
  Expected<CpuTimes> Times = readCpuTimes(*Text);
  if (Times)
    return std::move(*Times);
  TakenError Taken = takeError(Times.takeError());
  return makeError(Taken.Kind, Path + ": " + Taken.Text);
}

static Error evaluateRyooFile(StringRef Path, raw_ostream &OS) {
  Expected<std::optional<CpuTimes>> Cpu = readCpuTimesBeside(Path);
  if (!Cpu)
    return Cpu.takeError();
  auto Print = [&](raw_ostream &Out, ArrayRef<RyooSpace> Spaces) { printRyoo(Out, Spaces, *Cpu); };
  auto Page = [&](ArrayRef<RyooSpace> Spaces, StringRef File) { return ryooPage(Spaces, *Cpu, File); };
  return evaluateFile<RyooSpace>(Path, {evaluateRyoo, Print, Page}, OS);
}

/// Every variant of each space.
static Expected<std::vector<RecordedKernel>> measureRyoo(TuneOptions Options, Progress &Shown) {
  std::vector<RecordedKernel> Table;
  Options.Exhaustive = true;
  if (Error E = checkGpu(Options.Runner, "--measure times every variant",
                         "measure where the GPU is, or evaluate recorded data, without --measure"))
    return std::move(E);
  for (const RyooApplication &Each : ryooApplications()) {
    SmallString<128> Path(MeasureFolder);
    sys::path::append(Path, Each.Kernel);
    if (!isFrontendBundle(Path))
      sys::path::append(Path, "ryoo-space.yaml");
    Options.Workload = std::string(Path);
    Shown.say("the space of " + Each.Title + ", " + Path);
    Expected<TuneReport> Report = Tuner(Options, Shown).run();
    if (!Report)
      return Report.takeError();
    if (!Report->NotMeasured.empty())
      return makeError(ErrorKind::Runner, Path + ": not measured: " + Report->NotMeasured);
    Table.push_back({Each.Kernel.str(), std::move(Report->Stock), std::move(Report->Variants)});
  }
  return Table;
}

static Error evaluateMeasured(StringRef Paper, function_ref<Expected<TuneOptions>()> Tuning, Progress &Shown,
                              raw_ostream &OS) {
  if (Paper != "ryoo")
    return makeError(ErrorKind::Usage,
                     "--measure measures the spaces of ryoo alone; test/benchmark/exhaustive does "
                     "those of others");
  if (!EvaluatedData.empty() || !PageFolder.empty())
    return makeError(ErrorKind::Usage,
                     "--measure takes the place of recorded data, which --data and --page are about");
  Expected<TuneOptions> Options = Tuning();
  if (!Options)
    return Options.takeError();
  Expected<std::vector<RecordedKernel>> Table = measureRyoo(std::move(*Options), Shown);
  if (!Table)
    return Table.takeError();
  Expected<std::vector<RyooSpace>> Spaces = evaluateRyoo(*Table);
  if (!Spaces)
    return Spaces.takeError();
  printRyoo(OS, *Spaces, std::nullopt);
  return Error::success();
}

Error runEvaluate(StringRef Paper, function_ref<Expected<TuneOptions>()> Tuning, Progress &Shown,
                  raw_ostream &OS) {
  if (!MeasureFolder.empty())
    return evaluateMeasured(Paper, Tuning, Shown, OS);
  auto DataOr = [](StringRef Default) { return EvaluatedData.empty() ? Default : StringRef(EvaluatedData); };
  if (Paper == "ryoo")
    return evaluateRyooFile(DataOr("docs/results/h100-ryoo.csv.xz"), OS);
  if (Paper == "liang")
    return evaluateFile<LiangSpace>(DataOr("docs/results/h200-liang.csv.xz"),
                                    {evaluateLiang, printLiang, liangPage}, OS);
  return makeError(ErrorKind::Usage, "no experiments of '" + Paper + "'; known: liang, ryoo");
}

} // namespace gpuprune
