//===- FlagPaths.cpp - Flags of clang++ seen from another folder ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FlagPaths.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

namespace {

enum class Form {
  Joined,     ///< "--sysroot=PATH", with all that stands before the path.
  Separate,   ///< "--config PATH"
  JoinedOrNot ///< "-IPATH" or "-I PATH"
};

struct PathFlag {
  StringLiteral Spelling;
  Form Written;
  bool SearchedElsewhere = false; ///< Where there is none in the current folder.
};

} // namespace

/// Of two flags one of which begins like the other, the longer first.
static constexpr PathFlag PathFlags[] = {
    {"-include-pch", Form::Separate},
    {"-include", Form::JoinedOrNot, true},
    {"--include-directory-after=", Form::Joined},
    {"--include-directory-after", Form::Separate},
    {"--include-directory=", Form::Joined},
    {"--include-directory", Form::Separate},
    {"--include=", Form::Joined, true},
    {"--include", Form::Separate, true},
    {"-imacros", Form::JoinedOrNot, true},
    {"--imacros=", Form::Joined, true},
    {"--imacros", Form::Separate, true},
    {"-isystem-after", Form::JoinedOrNot},
    {"-isystem", Form::JoinedOrNot},
    {"-cxx-isystem", Form::JoinedOrNot},
    {"-internal-isystem", Form::Separate},
    {"-isysroot", Form::JoinedOrNot},
    {"-iquote", Form::JoinedOrNot},
    {"-idirafter", Form::JoinedOrNot},
    {"-iframework", Form::JoinedOrNot},
    {"-ivfsoverlay", Form::JoinedOrNot},
    {"-I", Form::JoinedOrNot},
    {"-F", Form::JoinedOrNot},
    {"--sysroot=", Form::Joined},
    {"--sysroot", Form::Separate},
    {"--cuda-path=", Form::Joined},
    {"--libdevice-path=", Form::Joined},
    {"--config=", Form::Joined, true},
    {"--config", Form::Separate, true},
    {"-fmodule-map-file=", Form::Joined},
    {"-fprofile-use=", Form::Joined},
    {"-fprofile-instr-use=", Form::Joined},
    {"-fprofile-sample-use=", Form::Joined},
    {"-fsanitize-ignorelist=", Form::Joined},
    {"-fpass-plugin=", Form::Joined, true},
    {"-fplugin=", Form::Joined, true},
    {"-load", Form::Separate, true},
};

/// \p Path seen from the current folder.
static std::string from(StringRef Folder, StringRef Path, bool SearchedElsewhere) {
  // "-I=inc" is meant from the sysroot, "-I-" is no path.
  if (Folder.empty() || Path.empty() || sys::path::is_absolute(Path) || Path.starts_with("=") || Path == "-")
    return Path.str();
  SmallString<128> Joined(Folder);
  sys::path::append(Joined, Path);
  return SearchedElsewhere && !sys::fs::exists(Joined) ? Path.str() : std::string(Joined);
}

static const PathFlag *findPathFlag(StringRef Flag) {
  return find_if(PathFlags, [&](const PathFlag &Known) {
    return Known.Written == Form::Separate ? Flag == Known.Spelling : Flag.starts_with(Known.Spelling);
  });
}

static Expected<SmallVector<const char *, 16>>
expandResponseFiles(StringRef Folder, ArrayRef<std::string> Flags, BumpPtrAllocator &Memory) {
  SmallVector<const char *, 16> Expanded;
  for (const std::string &Flag : Flags)
    Expanded.push_back(Flag.c_str());
  SmallString<128> Absolute(Folder);
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return makeError(ErrorKind::Io, "the current folder cannot be told: " + EC.message());
  cl::ExpansionContext Context(Memory, cl::TokenizeGNUCommandLine);
  Context.setCurrentDir(Absolute);
  if (Error E = Context.expandResponseFiles(Expanded))
    return makeError(ErrorKind::Input, "flags: " + toString(std::move(E)));
  return Expanded;
}

Expected<std::vector<std::string>> flagsFrom(StringRef Folder, ArrayRef<std::string> Flags) {
  BumpPtrAllocator Memory;
  Expected<SmallVector<const char *, 16>> Expanded = expandResponseFiles(Folder, Flags, Memory);
  if (!Expanded)
    return Expanded.takeError();
  std::vector<std::string> Result;
  const PathFlag *Open = nullptr; // Its path is the next argument.
  for (StringRef Flag : *Expanded) {
    if (Flag == "-Xclang") {
      Result.push_back(Flag.str());
      continue;
    }
    if (Open) {
      Result.push_back(from(Folder, Flag, Open->SearchedElsewhere));
      Open = nullptr;
      continue;
    }
    const PathFlag *Known = findPathFlag(Flag);
    if (Known == std::end(PathFlags)) {
      Result.push_back(Flag.str());
      continue;
    }
    StringRef Path = Flag.drop_front(Known->Spelling.size());
    if (Path.empty() && Known->Written != Form::Joined) {
      Result.push_back(Flag.str());
      Open = Known;
      continue;
    }
    // Written as one item, "-I inc" has its space from a shell's command line.
    if (Known->Written == Form::JoinedOrNot)
      Path = Path.ltrim();
    Result.push_back((Known->Spelling + from(Folder, Path, Known->SearchedElsewhere)).str());
  }
  return Result;
}

} // namespace gpuprune
