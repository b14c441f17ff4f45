//===- EvaluateCommand.cpp - gpuprune evaluate ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EvaluateCommand.h"
#include "SubCommands.h"
#include "gpuprune/Evaluate/RyooReport.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

static cl::opt<std::string>
    EvaluatedData("data",
                  cl::desc("Recorded variants, as test/benchmark/collect-exhaustive writes them, also\n"
                           "compressed by xz (default: docs/results/h100-ryoo.csv.xz)"),
                  cl::value_desc("FILE"), cl::init("docs/results/h100-ryoo.csv.xz"), cl::sub(EvaluateCommand),
                  cl::cat(Category));
static cl::opt<std::string>
    PageFolder("page", cl::desc("Also write the page ryoo.md and its figures into this folder"),
               cl::value_desc("DIR"), cl::sub(EvaluateCommand), cl::cat(Category));

/// LLVM reads no xz.
static Expected<std::string> readData(StringRef Path) {
  if (!Path.ends_with(".xz"))
    return readFile(Path);
  if (Expected<uint64_t> Bytes = sizeOfRegularFile(Path); !Bytes)
    return makeError(ErrorKind::Io, "cannot read '" + Path + "': " + toString(Bytes.takeError()));
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

static Error writePageFiles(ArrayRef<RyooSpace> Spaces) {
  for (const GeneratedFile &File : ryooPage(Spaces, sys::path::filename(EvaluatedData))) {
    SmallString<128> Path(PageFolder);
    sys::path::append(Path, File.Name);
    if (Error E = writeFile(Path, File.Text))
      return E;
  }
  return Error::success();
}

Error runEvaluate(StringRef Paper, raw_ostream &OS) {
  if (Paper != "ryoo")
    return makeError(ErrorKind::Usage, "no experiments of '" + Paper + "'; known: ryoo");
  Expected<std::string> Text = readData(EvaluatedData);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<RecordedKernel>> Table = readRecordedTable(*Text);
  Expected<std::vector<RyooSpace>> Spaces = Table ? evaluateRyoo(*Table) : Table.takeError();
  if (!Spaces) {
    TakenError Taken = takeError(Spaces.takeError());
    return makeError(Taken.Kind, EvaluatedData + ": " + Taken.Text);
  }
  printRyoo(OS, *Spaces);
  return PageFolder.empty() ? Error::success() : writePageFiles(*Spaces);
}

} // namespace gpuprune
