//===- EvaluateCommand.cpp - gpuprune evaluate ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EvaluateCommand.h"
#include "SubCommands.h"
#include "gpuprune/Evaluate/LiangReport.h"
#include "gpuprune/Evaluate/RyooReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<std::string> EvaluatedData(
    "data",
    cl::desc("Recorded variants, as test/benchmark/collect-exhaustive writes them, also\n"
             "compressed by xz (default: docs/results/h100-ryoo.csv.xz, or h100-liang.csv.xz);\n"
             "for ryoo also the times of CPU versions, cpu-ryoo.csv in the same folder"),
    cl::value_desc("FILE"), cl::sub(EvaluateCommand), cl::cat(Category));
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
  if (Output->ExitCode != 0)
    return makeError(ErrorKind::Input, Path + ": " + failureText(*Output));
  return std::move(Output->Text);
}

static Error writePageFiles(ArrayRef<GeneratedFile> Files) {
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

Error runEvaluate(StringRef Paper, raw_ostream &OS) {
  auto DataOr = [](StringRef Default) { return EvaluatedData.empty() ? Default : StringRef(EvaluatedData); };
  if (Paper == "ryoo")
    return evaluateRyooFile(DataOr("docs/results/h100-ryoo.csv.xz"), OS);
  if (Paper == "liang")
    return evaluateFile<LiangSpace>(DataOr("docs/results/h100-liang.csv.xz"),
                                    {evaluateLiang, printLiang, liangPage}, OS);
  return makeError(ErrorKind::Usage, "no experiments of '" + Paper + "'; known: liang, ryoo");
}

} // namespace gpuprune
