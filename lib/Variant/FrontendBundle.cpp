//===- FrontendBundle.cpp - The front end's output in a folder --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/FrontendBundle.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// Raised when the layout changes. Bitcode and workload are of the program's version anyway.
static constexpr int LayoutVersion = 2;
static constexpr StringLiteral LayoutKey = "gpuprune_frontend_bundle";
static constexpr StringLiteral WorkloadName = "workload.yaml";

static std::string fileIn(StringRef Directory, StringRef Name) {
  SmallString<256> File(Directory);
  sys::path::append(File, Name);
  return std::string(File);
}

bool isFrontendBundle(StringRef Path) { return sys::fs::exists(fileIn(Path, FrontendManifestName)); }

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error checkNoWorkloadIn(StringRef Directory, const Workload &W) {
  auto Holds = [&](StringRef Path) {
    StringRef Folder = sys::path::parent_path(Path);
    return sys::fs::exists(Path) && sys::fs::equivalent(Folder.empty() ? "." : Folder, Directory);
  };
  bool HasFile = sys::fs::exists(fileIn(Directory, WorkloadName)) && !isFrontendBundle(Directory);
  if (!HasFile && !Holds(W.Path) && !Holds(W.Source))
    return Error::success();
  return makeError(
      ErrorKind::Input,
      formatv("--bundle={0}: this is the folder of a workload; write the bundle to one of its own",
              Directory));
}

/// One entry of the manifest, whose bitcode it writes.
static Expected<json::Object> writeOutput(StringRef Directory, StringRef Defines,
                                          const FrontendOutput &Output, size_t Number) {
  if (const std::optional<TakenError> &Failure = Output.Failure) {
    if (Failure->Kind != ErrorKind::Frontend)
      return makeError(Failure->Kind, Failure->Text);
    return json::Object{{"defines", Defines}, {"failure", Failure->Text}};
  }
  std::string Name = formatv("device{0}.bc", Number);
  if (Error E = writeFile(fileIn(Directory, Name), Output.Bitcode))
    return std::move(E);
  return json::Object{{"defines", Defines}, {"file", Name}, {"hash", contentHash(Output.Bitcode)}};
}

/// Copies a file and describes it.
static Expected<json::Object> writeNamedFile(StringRef Directory, const NamedFile &Named, size_t Number) {
  StringRef Extension = sys::path::extension(Named.File->Path);
  bool IsPlain = all_of(Extension.drop_front(!Extension.empty()), isAlnum);
  std::string Name = formatv("file{0}{1}", Number, IsPlain ? Extension : "");
  if (Error E = writeFile(fileIn(Directory, Name), Named.File->Content))
    return std::move(E);
  return json::Object{{"written", json::fixUTF8(Named.Written)}, {"file", Name}, {"hash", Named.File->Hash}};
}

Error writeFrontendBundle(StringRef Directory, const FrontendBundle &Bundle) {
  json::Array Files;
  for (const NamedFile &Named : Bundle.Files) {
    Expected<json::Object> Entry = writeNamedFile(Directory, Named, Files.size());
    if (!Entry)
      return Entry.takeError();
    Files.push_back(std::move(*Entry));
  }
  json::Array Outputs;
  for (const auto &[Defines, Output] : Bundle.Outputs) {
    Expected<json::Object> Entry = writeOutput(Directory, Defines, Output, Outputs.size());
    if (!Entry)
      return Entry.takeError();
    Outputs.push_back(std::move(*Entry));
  }
  Expected<std::string> Workload = readRegularFile(Bundle.Workload);
  if (!Workload)
    return Workload.takeError();
  if (Error E = writeFile(fileIn(Directory, WorkloadName), *Workload))
    return E;
  json::Object Manifest{{LayoutKey, LayoutVersion},
                        {"version", GPUPRUNE_VERSION},
                        {"workload", Bundle.Workload},
                        {"source", Bundle.Source},
                        {"source_hash", Bundle.SourceHash},
                        {"flags", json::Array(Bundle.Flags)},
                        {"clang_flags", json::Array(Bundle.ClangFlags)},
                        {"device", Bundle.Device},
                        {"clang", Bundle.Clang},
                        {"outputs", std::move(Outputs)}};
  if (!Files.empty())
    Manifest["files"] = std::move(Files);
  return writeFile(fileIn(Directory, FrontendManifestName),
                   formatv("{0:2}\n", json::Value(std::move(Manifest))).str());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct OutputEntry {
  std::string Defines, File, Hash;
  std::optional<std::string> Failure;
};

bool fromJSON(const json::Value &Value, OutputEntry &Out, json::Path P) {
  json::ObjectMapper O(Value, P);
  if (!O || !O.map("defines", Out.Defines) || !O.map("failure", Out.Failure))
    return false;
  return Out.Failure || (O.map("file", Out.File) && O.map("hash", Out.Hash));
}
} // namespace

namespace {
struct FileEntry {
  std::string Written, File, Hash;
};

bool fromJSON(const json::Value &Value, FileEntry &Out, json::Path P) {
  json::ObjectMapper O(Value, P);
  return O && O.map("written", Out.Written) && O.map("file", Out.File) && O.map("hash", Out.Hash);
}
} // namespace

static Error checkVersions(const json::Object &Manifest) {
  std::optional<int64_t> Layout = Manifest.getInteger(LayoutKey);
  std::optional<StringRef> Version = Manifest.getString("version");
  if (!Layout || !Version)
    return makeError(ErrorKind::Input, "it is no object with " + LayoutKey + " and version");
  if (*Layout != LayoutVersion || *Version != GPUPRUNE_VERSION)
    return makeError(
        ErrorKind::Input,
        formatv("it was written by gpuprune {0}; this is gpuprune {1}. Write it anew with the program "
                "of the same version",
                *Version, GPUPRUNE_VERSION));
  return Error::success();
}

static Error checkInside(StringRef File) {
  if (File == sys::path::filename(File))
    return Error::success();
  return makeError(ErrorKind::Input, "the file '" + File + "' lies outside of it");
}

static Error damaged(StringRef File) {
  return makeError(
      ErrorKind::Input,
      formatv("{0} is damaged: its content is not what was written; copy the bundle again", File));
}

static Error readNamedFile(const FileEntry &Entry, FrontendBundle &Bundle) {
  if (Error E = checkInside(Entry.File))
    return E;
  Expected<DataFile> File = readDataFile(fileIn(Bundle.Directory, Entry.File));
  if (!File)
    return File.takeError();
  if (File->Hash != Entry.Hash)
    return damaged(Entry.File);
  Bundle.Files.push_back({Entry.Written, std::make_shared<const DataFile>(std::move(*File))});
  return Error::success();
}

static Error readOutput(const OutputEntry &Entry, FrontendBundle &Bundle) {
  FrontendOutput Output;
  if (Entry.Failure) {
    Output.Failure = TakenError{ErrorKind::Frontend, *Entry.Failure};
  } else {
    if (Error E = checkInside(Entry.File))
      return E;
    Expected<std::string> Bitcode = readRegularFile(fileIn(Bundle.Directory, Entry.File));
    if (!Bitcode)
      return Bitcode.takeError();
    if (contentHash(*Bitcode) != Entry.Hash)
      return damaged(Entry.File);
    Output.Bitcode = std::move(*Bitcode);
  }
  if (!Bundle.Outputs.try_emplace(Entry.Defines, std::move(Output)).second)
    return makeError(ErrorKind::Input, formatv("it has the defines '{0}' twice", Entry.Defines));
  return Error::success();
}

static Error readManifest(StringRef Text, FrontendBundle &Bundle) {
  Expected<json::Value> Parsed = protocol::parseJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  json::Object Empty, *Manifest = Parsed->getAsObject();
  if (Error E = checkVersions(Manifest ? *Manifest : Empty))
    return E;
  std::vector<OutputEntry> Entries;
  std::vector<FileEntry> Files;
  json::Path::Root Root("manifest");
  json::ObjectMapper O(*Parsed, Root);
  if (!O || !O.map("workload", Bundle.Workload) || !O.map("source", Bundle.Source) ||
      !O.map("source_hash", Bundle.SourceHash) || !O.map("flags", Bundle.Flags) ||
      !O.map("clang_flags", Bundle.ClangFlags) || !O.map("device", Bundle.Device) ||
      !O.map("clang", Bundle.Clang) || !O.map("outputs", Entries) || !O.mapOptional("files", Files))
    return makeError(ErrorKind::Input, toString(Root.getError()));
  for (const FileEntry &Entry : Files)
    if (Error E = readNamedFile(Entry, Bundle))
      return E;
  for (const OutputEntry &Entry : Entries)
    if (Error E = readOutput(Entry, Bundle))
      return E;
  return Error::success();
}

Expected<FrontendBundle> readFrontendBundle(StringRef Directory) {
  FrontendBundle Bundle;
  Bundle.Directory = Directory.str();
  Expected<std::string> Text = readRegularFile(fileIn(Directory, FrontendManifestName));
  if (!Text)
    return Text.takeError();
  if (Error E = readManifest(*Text, Bundle)) {
    TakenError Taken = takeError(std::move(E));
    return makeError(Taken.Kind, formatv("front-end bundle '{0}': {1}", Directory, Taken.Text));
  }
  return Bundle;
}

Expected<Workload> workloadOf(const FrontendBundle &Bundle) {
  std::string Copy = fileIn(Bundle.Directory, WorkloadName);
  Expected<Workload> Read = loadWorkload(Copy, Bundle.Files); // Its errors name the file that is here.
  if (!Read)
    return Read.takeError();
  Expected<std::string> Text = readRegularFile(Copy);
  if (!Text)
    return Text.takeError();
  Expected<Workload> W = parseWorkload(*Text, Bundle.Workload, Read->Files, Copy);
  if (!W)
    return W.takeError();
  StringRef Changed = W->Source != Bundle.Source ? "source" : W->Flags != Bundle.Flags ? "flags" : "";
  if (!Changed.empty())
    return makeError(
        ErrorKind::Input,
        formatv("{0}: '{1}' is not what the bundle's bitcode was compiled with; write the bundle anew "
                "where clang++ is",
                Copy, Changed));
  return W;
}

std::string sourceWarning(const FrontendBundle &Bundle) {
  if (Bundle.SourceHash.empty()) // A recording: what was compiled is what was run.
    return "";
  Expected<std::string> Here = hashOfRegularFile(Bundle.Source);
  if (!Here) {
    consumeError(Here.takeError());
    return "";
  }
  if (*Here == Bundle.SourceHash)
    return "";
  return formatv("warning: '{0}' is not what the bundle '{1}' was compiled from", Bundle.Source,
                 Bundle.Directory);
}

} // namespace gpuprune
