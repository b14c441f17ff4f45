//===- FrontendInputs.cpp - What clang++ read, and whether it is still so ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FrontendInputs.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace gpuprune {

/// Files get their times from a clock that ticks only every few milliseconds.
static constexpr std::chrono::milliseconds ClockTick(100);

/// Up to the closing delimiter of "x.h" or <x.h> at the beginning of \p Text; empty where there is no such.
static StringRef headerName(StringRef Text) {
  Text = Text.ltrim();
  char Close = Text.starts_with("<") ? '>' : Text.starts_with("\"") ? '"' : '\0';
  if (!Close)
    return "";
  StringRef Line = Text.drop_front().take_until([](char C) { return C == '\n'; });
  size_t End = Line.find(Close);
  return End == StringRef::npos ? "" : Line.take_front(End);
}

std::vector<std::string> namesAskedFor(StringRef Source, bool &AsksForTime) {
  AsksForTime = any_of(ArrayRef<StringRef>{"__DATE__", "__TIME__", "__TIMESTAMP__"},
                       [&](StringRef Macro) { return Source.contains(Macro); });
  SetVector<StringRef> Names;
  // __has_include and its like end in one of these. In a comment, too: that asks for more, never for less.
  for (StringRef Word : {"include", "import", "embed"})
    for (size_t At = Source.find(Word); At != StringRef::npos; At = Source.find(Word, At + 1)) {
      StringRef Behind = Source.substr(At + Word.size());
      Behind.consume_front("_next");
      Behind = Behind.ltrim(" \t");
      Behind.consume_front("(");
      if (StringRef Name = headerName(Behind); !Name.empty())
        Names.insert(Name);
    }
  std::vector<std::string> Found;
  for (StringRef Name : Names)
    Found.push_back(Name.str());
  return Found;
}

std::vector<std::string> filesInRule(StringRef Rule) {
  std::vector<std::string> Files;
  std::string File;
  StringRef Rest = Rule.substr(Rule.find(": ")); // A target is a file of ours, without blanks.
  Rest.consume_front(": ");
  auto End = [&] {
    if (!File.empty())
      Files.push_back(std::exchange(File, ""));
  };
  for (size_t I = 0; I < Rest.size(); ++I) {
    char Next = I + 1 < Rest.size() ? Rest[I + 1] : '\n';
    if (Rest[I] == '\\' && (Next == ' ' || Next == '#' || Next == '\n')) {
      Next == '\n' ? End() : File.push_back(Next);
      ++I;
    } else if (Rest[I] == '$' && Next == '$') {
      File.push_back('$');
      ++I;
    } else if (isSpace(Rest[I])) {
      End();
    } else {
      File.push_back(Rest[I]);
    }
  }
  End();
  return Files;
}

/// Tells one file from what is put in its place, without reading it.
static std::string stampOf(StringRef Path, const sys::fs::file_status &Status) {
  return formatv("{0};{1};{2};{3}", Path, Status.getSize(),
                 Status.getLastModificationTime().time_since_epoch().count(), Status.getUniqueID().getFile());
}

std::optional<InputFiles::Content> InputFiles::look(StringRef Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status) || Status.type() != sys::fs::file_type::regular_file)
    return std::nullopt;
  std::string Stamp = stampOf(Path, Status);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto Found = Known.find(Stamp); Found != Known.end())
      return Found->second;
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return std::nullopt;
  StringRef Text = (*File)->getBuffer();
  Content Seen;
  Seen.Hash = contentHash(Text);
  Seen.Names = namesAskedFor(Text, Seen.AsksForTime);
  Seen.Changed = Status.getLastModificationTime();
  std::lock_guard<std::mutex> Guard(Lock);
  return Known[Stamp] = std::move(Seen);
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// The last line of what -### prints, which is the command; empty where it printed something else.
static StringRef commandIn(StringRef Printed) {
  StringRef Last = Printed.rtrim().rsplit('\n').second;
  return Last.ltrim().starts_with("\"") && Last.contains("\"-cc1\"") ? Last : "";
}

/// clang++'s own code is in libraries beside it: their stamps, and that of \p Program.
static std::string stampsOfCompiler(StringRef Program) {
  SmallString<256> Real;
  sys::fs::file_status Status;
  if (sys::fs::real_path(Program, Real) || sys::fs::status(Real, Status))
    return "";
  std::vector<std::string> Stamps{stampOf(Real, Status)};
  SmallString<256> Libraries(sys::path::parent_path(sys::path::parent_path(Real)));
  sys::path::append(Libraries, "lib");
  std::error_code EC;
  for (sys::fs::directory_iterator File(Libraries, EC), End; !EC && File != End; File.increment(EC))
    if (StringRef Name = sys::path::filename(File->path());
        (Name.starts_with("libclang-cpp") || Name.starts_with("libLLVM")) &&
        !sys::fs::status(File->path(), Status))
      Stamps.push_back(stampOf(File->path(), Status));
  llvm::sort(Stamps);
  return join(Stamps, "\n");
}

static std::vector<std::string> searchFolders(ArrayRef<StringRef> Arguments) {
  static constexpr StringLiteral Flags[] = {"-internal-isystem",
                                            "-internal-externc-isystem",
                                            "-isystem",
                                            "-cxx-isystem",
                                            "-c-isystem",
                                            "-iquote",
                                            "-idirafter",
                                            "-I",
                                            "-F",
                                            "-iframework"};
  SetVector<StringRef> Folders;
  for (size_t I = 0; I < Arguments.size(); ++I)
    if (is_contained(Flags, Arguments[I]) && I + 1 < Arguments.size())
      Folders.insert(Arguments[I + 1]);
    else if (Arguments[I].size() > 2 && (Arguments[I].starts_with("-I") || Arguments[I].starts_with("-F")))
      Folders.insert(Arguments[I].drop_front(2));
  std::vector<std::string> Found;
  for (StringRef Folder : Folders)
    Found.push_back(Folder.str());
  return Found;
}

/// Headers that are kept compiled, and what comes with them, are not among what clang++ lists.
static bool readsUnlisted(ArrayRef<StringRef> Arguments) {
  return any_of(Arguments,
                [](StringRef A) { return A.starts_with("-fmodule") || A == "-include-pch" || A == "-load"; });
}

std::optional<FrontendCommand> InputFiles::commandOf(const Toolchain &Tools, const FrontendRequest &Request) {
  FrontendRequest Plain = Request;
  Plain.Defines.clear();
  std::vector<std::string> Asked = bitcodeCommand(Tools, Plain, "/dev/null");
  Asked.insert(Asked.begin() + 1, "-###");
  Expected<ProcessOutput> Output = runProcess(Asked);
  if (!Output) {
    consumeError(Output.takeError());
    return std::nullopt;
  }
  StringRef Command = commandIn(Output->Text);
  if (Output->ExitCode != 0 || Command.empty())
    return std::nullopt;
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 128> Tokens;
  cl::TokenizeGNUCommandLine(Command, Saver, Tokens);
  std::vector<StringRef> Arguments(Tokens.begin(), Tokens.end());
  std::string Compiler = stampsOfCompiler(Arguments.front());
  SmallString<256> Folder;
  if (Compiler.empty() || readsUnlisted(Arguments) || sys::fs::current_path(Folder))
    return std::nullopt;
  std::string Text = Output->Text + "\n" + Compiler + "\n" + std::string(Folder);
  for (StringRef Argument : ArrayRef(Arguments).drop_front())
    for (StringRef Path : {Argument, Argument.split('=').second})
      if (std::optional<Content> Named = look(Path); Named && Path != Request.Source)
        Text += ("\n" + Path + " " + Named->Hash).str();
  if (std::optional<Content> Script = look(Tools.Clang)) // What it runs may be chosen by it.
    Text += "\n" + Script->Hash;
  return FrontendCommand{toHex(SHA256::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true),
                         searchFolders(Arguments)};
}

//===----------------------------------------------------------------------===//
// The files
//===----------------------------------------------------------------------===//

namespace {
/// Each once, in the order in which they came.
struct DistinctTexts {
  std::vector<std::string> List;
  StringSet<> Seen;

  void add(StringRef Text) {
    if (Seen.insert(Text).second)
      List.push_back(Text.str());
  }
};
} // namespace

static std::string presenceOf(const FrontendInputs &Inputs) {
  std::string Present;
  for (const auto &[FolderIndex, Folder] : enumerate(Inputs.Folders))
    for (const auto &[NameIndex, Name] : enumerate(Inputs.Names)) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Name);
      if (sys::fs::exists(Path))
        Present += formatv("{0},{1};", FolderIndex, NameIndex).str();
    }
  return contentHash(Present);
}

std::optional<FrontendInputs> InputFiles::inputsOf(ArrayRef<std::string> Read, ArrayRef<std::string> Folders,
                                                   sys::TimePoint<> Started) {
  FrontendInputs Inputs;
  DistinctTexts All, Names;
  for (const std::string &Folder : Folders)
    All.add(Folder);
  for (const std::string &Path : Read) {
    std::optional<Content> Seen = look(Path);
    if (!Seen || Seen->AsksForTime || Seen->Changed > Started - ClockTick)
      return std::nullopt;
    Inputs.Files.emplace_back(Path, Seen->Hash);
    for (const std::string &Name : Seen->Names)
      Names.add(Name);
    Names.add(sys::path::filename(Path)); // It may have been asked for through a macro.
    StringRef Folder = sys::path::parent_path(Path);
    All.add(Folder.empty() ? "." : Folder);
  }
  if (Inputs.Files.empty())
    return std::nullopt;
  Inputs.Folders = std::move(All.List);
  Inputs.Names = std::move(Names.List);
  Inputs.Present = presenceOf(Inputs);
  return Inputs;
}

bool InputFiles::areUnchanged(const FrontendInputs &Inputs) {
  for (const auto &[Path, Hash] : Inputs.Files)
    if (std::optional<Content> Seen = look(Path); !Seen || Seen->Hash != Hash)
      return false;
  std::string Key = join(Inputs.Folders, "\n") + "\n\n" + join(Inputs.Names, "\n");
  std::lock_guard<std::mutex> Guard(Lock);
  std::string &Present = Presence[Key];
  if (Present.empty()) // Other choices of defines mostly ask for the same.
    Present = presenceOf(Inputs);
  return Present == Inputs.Present;
}

} // namespace gpuprune
