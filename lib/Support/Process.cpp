//===- Process.cpp - Running another program --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Interrupt.h"
#include "gpuprune/Support/UniqueFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

void openStandardStreams() {
  for (int Descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(Descriptor, F_GETFD) < 0 && errno == EBADF) // The lowest that is free is taken.
      ::open("/dev/null", Descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

Expected<TemporaryDirectory> TemporaryDirectory::create() {
  std::error_code EC;
  std::string Path = leftovers::addFolder([&]() -> std::string {
    SmallString<128> Prefix;
    sys::path::system_temp_directory(/*erasedOnReboot=*/true, Prefix);
    sys::path::append(Prefix, "gpuprune-");
    std::string Made;
    EC = createUniqueFolder(Prefix, Made);
    return EC ? "" : Made;
  });
  if (EC)
    return makeError(ErrorKind::Io, "cannot make a folder for temporary files: " + EC.message() +
                                        "; set TMPDIR to a folder that can be written");
  return TemporaryDirectory(Path);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory &&Other) noexcept
    : Path(std::exchange(Other.Path, {})) {}

TemporaryDirectory::~TemporaryDirectory() {
  if (!Path.empty())
    leftovers::removeFolder(Path);
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

/// Writes all of \p Content and closes \p OS.
static std::error_code writeAll(raw_fd_ostream &OS, StringRef Content) {
  OS << Content;
  OS.flush(); // Not close: of a descriptor that is not its own that does nothing.
  std::error_code EC = OS.error();
  OS.clear_error(); // Else the destructor ends the program.
  return EC;
}

static std::error_code overwrite(StringRef Path, StringRef Content) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  return EC ? EC : writeAll(OS, Content);
}

/// Puts the file \p New, which is open, with \p Content, at \p Path.
static std::error_code replace(int Descriptor, const std::string &New, StringRef Path, StringRef Content) {
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  std::error_code EC = writeAll(OS, Content);
  OS.close();
  EC = EC ? EC : OS.error();
  OS.clear_error();
  if (!EC)
    EC = sys::fs::rename(New, Path);
  if (EC) [[maybe_unused]]
    std::error_code Ignored = sys::fs::remove(New);
  return EC;
}

static std::error_code write(StringRef Path, StringRef Content) {
  // Of what a link leads to: /dev/stdout may lead to a pipe, which has no name.
  sys::fs::file_status Status;
  bool Exists = !sys::fs::status(Path, Status);
  // A device or a pipe must not be replaced by a file.
  if (Exists && !sys::fs::is_regular_file(Status))
    return overwrite(Path, Content);
  SmallString<128> Target(Path);
  if (Exists)
    if (std::error_code EC = sys::fs::real_path(Path, Target))
      return EC;
  int Descriptor = -1;
  std::string New;
  // In a folder that cannot be written a file can be.
  if (std::error_code EC = createUniqueFile((Target + ".new-").str(), Descriptor, New))
    return Exists ? overwrite(Target, Content) : EC;
  sys::RemoveFileOnSignal(New);
  std::error_code EC = replace(Descriptor, New, Target, Content);
  sys::DontRemoveFileOnSignal(New);
  return EC;
}

Error writeFile(StringRef Path, StringRef Content) {
  std::error_code EC = write(Path, Content);
  return EC ? makeError(ErrorKind::Io, formatv("cannot write '{0}': {1}", Path, EC.message()))
            : Error::success();
}

Error checkWritable(StringRef Path) {
  if (Path == "-")
    return Error::success();
  StringRef Folder = sys::path::parent_path(Path);
  if (Folder.empty())
    Folder = ".";
  std::error_code EC;
  if (sys::fs::is_directory(Path))
    EC = std::make_error_code(std::errc::is_a_directory);
  else if (sys::fs::exists(Path))
    EC = sys::fs::access(Path, sys::fs::AccessMode::Write);
  else if (!sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::no_such_file_or_directory);
  else
    EC = sys::fs::access(Folder, sys::fs::AccessMode::Write);
  if (EC)
    return makeError(ErrorKind::Io, formatv("cannot write '{0}': {1}", Path, EC.message()));
  return Error::success();
}

/// Starts the program and waits; its exit code, negative where a signal ended it.
static Expected<int> execute(ArrayRef<std::string> Arguments, StringRef OutputFile, std::string &Problem) {
  SmallVector<StringRef, 32> Argv(Arguments.begin(), Arguments.end());
  std::optional<StringRef> Redirects[] = {StringRef(""), OutputFile, OutputFile};
  bool Failed = false;
  sys::ProcessInfo Child;
  leftovers::addProcess([&] {
    Child = sys::ExecuteNoWait(Arguments.front(), Argv, /*Env=*/std::nullopt, Redirects, /*MemoryLimit=*/0,
                               &Problem, &Failed);
    return int(Child.Pid);
  });
  if (Failed || Child.Pid == sys::ProcessInfo::InvalidPid)
    return makeError(ErrorKind::Toolchain, formatv("cannot start '{0}': {1}", Arguments.front(), Problem));
  sys::ProcessInfo Ended = sys::Wait(Child, /*SecondsToWait=*/std::nullopt, &Problem);
  leftovers::forgetProcess(Child.Pid);
  return Ended.ReturnCode;
}

Expected<ProcessOutput> runProcess(ArrayRef<std::string> Arguments) {
  // In memory: what a program says of a full disk must not need room on it.
  int Output = ::memfd_create("gpuprune-output", /*flags=*/0);
  if (Output < 0)
    return makeError(ErrorKind::Io, "no memory for the output of a program: " + sys::StrError());
  scope_exit Close([&] { ::close(Output); });
  std::string Problem;
  Expected<int> Code = execute(Arguments, formatv("/proc/self/fd/{0}", Output).str(), Problem);
  if (!Code)
    return Code.takeError();
  ErrorOr<std::unique_ptr<MemoryBuffer>> Said = MemoryBuffer::getOpenFile(
      Output, "output", /*FileSize=*/-1, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!Said)
    return makeError(ErrorKind::Io, formatv("cannot read what '{0}' printed: {1}", Arguments.front(),
                                            Said.getError().message()));
  std::string Text = (*Said)->getBuffer().str();
  return ProcessOutput{*Code, *Code < 0 ? Text + Problem : std::move(Text)};
}

bool wasKilled(const ProcessOutput &Output) {
  return Output.ExitCode < 0 && StringRef(Output.Text).rtrim().ends_with("Killed");
}

std::string failureText(const ProcessOutput &Output) {
  StringRef Text = StringRef(Output.Text).rtrim();
  if (Output.ExitCode < 0)
    return formatv("ended by a signal: {0}", Text);
  if (Text.empty())
    return formatv("ended with exit code {0} and printed nothing", Output.ExitCode);
  return Text.str();
}

bool ranOutOfDisk(const ProcessOutput &Output) {
  return StringRef(Output.Text).contains(std::generic_category().message(ENOSPC));
}

} // namespace gpuprune
