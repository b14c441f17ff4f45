//===- Process.cpp - Running another program --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

Expected<TemporaryDirectory> TemporaryDirectory::create() {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createUniqueDirectory("gpuprune", Path))
    return makeError(ErrorKind::Io, "cannot make a folder for temporary files: " + EC.message() +
                                        "; set TMPDIR to a folder that can be written");
  return TemporaryDirectory(Path);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory &&Other) noexcept : Path(Other.Path) {
  Other.Path.clear();
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
}

std::string TemporaryDirectory::file(StringRef Name) const {
  SmallString<128> Full = Path;
  sys::path::append(Full, Name);
  return std::string(Full);
}

Expected<std::string> readFile(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                                                        /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return makeError(ErrorKind::Io, formatv("cannot read '{0}': {1}", Path, Buffer.getError().message()));
  return (*Buffer)->getBuffer().str();
}

Error writeFile(StringRef Path, StringRef Content) {
  Error E = writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Content;
    return Error::success();
  });
  if (E)
    return makeError(ErrorKind::Io, formatv("cannot write '{0}': {1}", Path, toString(std::move(E))));
  return Error::success();
}

Expected<ProcessOutput> runProcess(ArrayRef<std::string> Arguments) {
  Expected<TemporaryDirectory> Directory = TemporaryDirectory::create();
  if (!Directory)
    return Directory.takeError();
  std::string OutputFile = Directory->file("output");
  SmallVector<StringRef, 32> Argv(Arguments.begin(), Arguments.end());
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(OutputFile), StringRef(OutputFile)};
  std::string Problem;
  bool Failed = false;
  ProcessOutput Output;
  Output.ExitCode = sys::ExecuteAndWait(Arguments.front(), Argv, /*Env=*/std::nullopt, Redirects,
                                        /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem, &Failed);
  if (Failed)
    return makeError(ErrorKind::Toolchain, formatv("cannot start '{0}': {1}", Arguments.front(), Problem));
  Expected<std::string> Text = readFile(OutputFile);
  if (!Text)
    return Text.takeError();
  Output.Text = std::move(*Text);
  if (Output.ExitCode < 0)
    Output.Text += Problem;
  return Output;
}

} // namespace gpuprune
