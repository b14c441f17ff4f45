//===- RecordingWriter.cpp - Writes a recording so that it is there or not ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordingWriter.h"
#include "gpuprune/Record/RecordingsFolder.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/IgnoreFile.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

/// ".new-PID-N-NAME": the process that writes it, so that others can tell whether it still runs.
static constexpr StringLiteral Unfinished = ".new-";

static Error failed(const Twine &What, const std::string &Path) {
  return makeError(ErrorKind::Io, formatv("cannot {0} '{1}': {2}", What.str(), Path, sys::StrError()));
}

static Error makeFolder(const std::string &Path) {
  if (::mkdir(Path.c_str(), 0700) == 0 || errno == EEXIST)
    return Error::success();
  return failed("make the folder", Path);
}

static Error writeAll(int Descriptor, const std::string &Path, ArrayRef<uint8_t> Content) {
  while (!Content.empty()) {
    ssize_t Written = ::write(Descriptor, Content.data(), std::min<size_t>(Content.size(), 1 << 30));
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return failed("write", Path);
    Content = Content.drop_front(Written);
  }
  return Error::success();
}

/// A file that only its owner may read.
static Error writeNew(const std::string &Path, ArrayRef<uint8_t> Content, int Flags) {
  rlimit Most;
  // Beyond the limit a signal would end the program.
  if (::getrlimit(RLIMIT_FSIZE, &Most) == 0 && Content.size() > Most.rlim_cur)
    return makeError(ErrorKind::Io,
                     formatv("cannot write '{0}': larger than files may be (ulimit -f)", Path));
  int Descriptor = ::open(Path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | Flags, 0600);
  if (Descriptor < 0)
    return failed("write", Path);
  Error E = writeAll(Descriptor, Path, Content);
  if (::close(Descriptor) != 0 && !E)
    return failed("write", Path);
  return E;
}

static Error writeJson(const std::string &Path, const Recording &R) {
  std::string Text = formatv("{0:2}\n", toJSON(R));
  std::string New = Path + ".new";
  if (Error E = writeNew(New, arrayRefFromStringRef(Text), O_TRUNC))
    return E;
  return ::rename(New.c_str(), Path.c_str()) == 0 ? Error::success() : failed("write", Path);
}

Error prepareDirectory(const std::string &Directory) {
  if (Error E = makeFolder(Directory))
    return E;
  if (Error E = makeFolder(Directory + "/" + RecordingsFolder))
    return E;
  return writeIgnoreFile(Directory);
}

Expected<std::unique_ptr<RecordingWriter>> RecordingWriter::begin(const std::string &Directory,
                                                                  const std::string &Name) {
  static std::atomic<unsigned> Number = 0;
  if (Error E = prepareDirectory(Directory))
    return std::move(E);
  std::string Root = Directory + "/" + RecordingsFolder + "/";
  std::string Folder = formatv("{0}{1}{2}-{3}-{4}", Root, Unfinished, ::getpid(), Number++, Name);
  if (::mkdir(Folder.c_str(), 0700) != 0)
    return failed("make the folder", Folder);
  return std::unique_ptr<RecordingWriter>(new RecordingWriter(Folder, Root + Name));
}

RecordingWriter::~RecordingWriter() {
  if (!Folder.empty())
    (void)sys::fs::remove_directories(Folder); // What cannot be removed is left to removeUnfinished.
}

Error RecordingWriter::add(StringRef File, ArrayRef<uint8_t> Content) {
  return writeNew(Folder + "/" + File.str(), Content, O_EXCL);
}

Expected<std::string> RecordingWriter::publish(const Recording &R) {
  if (Error E = writeJson(Folder + "/" + LaunchFile, R))
    return std::move(E);
  if (::rename(Folder.c_str(), Final.c_str()) == 0) {
    Folder.clear();
    return Final;
  }
  // A folder that is not empty cannot be replaced in one step: the recording of an earlier run moves away.
  std::string Old = Folder + ".old";
  if (::rename(Final.c_str(), Old.c_str()) != 0 || ::rename(Folder.c_str(), Final.c_str()) != 0)
    return failed("write", Final);
  (void)sys::fs::remove_directories(Old);
  Folder.clear();
  return Final;
}

Error updateLaunch(const std::string &Folder, const Recording &R) {
  return writeJson(Folder + "/" + LaunchFile, R);
}

unsigned removeUnfinished(const std::string &Directory) {
  unsigned Removed = 0;
  std::error_code EC;
  std::string Root = Directory + "/" + RecordingsFolder;
  for (sys::fs::directory_iterator It(Root, EC), End; !EC && It != End; It.increment(EC)) {
    StringRef Name = sys::path::filename(It->path());
    int Writer = 0;
    if (!Name.consume_front(Unfinished) || Name.consumeInteger(10, Writer) || Writer <= 0)
      continue;
    if (::kill(Writer, 0) == 0 || errno == EPERM)
      continue;
    Removed += !sys::fs::remove_directories(It->path());
  }
  return Removed;
}

} // namespace gpuprune
