//===- CodeFolder.cpp - What the plugin has written about kernels --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CodeFolder.h"
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static bool fromJSON(const json::Value &V, CodeVariable &To, json::Path P) {
  json::ObjectMapper Map(V, P);
  return Map && Map.map("symbol", To.Symbol) &&
         mapUnsigned(*V.getAsObject(), "bytes", To.Bytes, Presence::Required, P);
}

namespace {
/// A kernel as a file has it.
struct FileKernel {
  std::string Symbol;
  std::vector<CodeVariable> Variables;
};

bool fromJSON(const json::Value &V, FileKernel &To, json::Path P) {
  json::ObjectMapper Map(V, P);
  return Map && Map.map("symbol", To.Symbol) && Map.map("variables", To.Variables);
}
} // namespace

CodeFolder::CodeFolder(StringRef Directory) : Directory(Directory) {
  std::error_code EC;
  std::vector<std::string> Files;
  std::string Folder = (Directory + "/" + CodeFolderName).str();
  for (sys::fs::directory_iterator It(Folder, EC), End; !EC && It != End; It.increment(EC))
    if (sys::path::extension(It->path()) == ".json" && !sys::path::filename(It->path()).starts_with("."))
      Files.push_back(It->path());
  sort(Files);
  for (const std::string &File : Files) {
    Expected<std::string> Text = readRegularFile(File);
    std::string Bitcode = StringRef(File).drop_back(strlen(".json")).str() + ".bc";
    if (Error E = Text ? add(*Text, Bitcode) : Text.takeError())
      Problems.push_back(formatv("'{0}' is not used: {1}", File, toString(std::move(E))));
  }
}

Error CodeFolder::add(StringRef Text, StringRef Bitcode) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  std::string Arch;
  std::vector<FileKernel> Read;
  json::Path::Root Root("code");
  json::ObjectMapper Map(*Parsed, Root);
  if (Map && Parsed->getAsObject()->getInteger("schema") != 1)
    return makeError(ErrorKind::Input, "expected \"schema\": 1; another version of gpuprune wrote this file");
  if (!Map || !Map.map("arch", Arch) || !Map.map("kernels", Read))
    return makeError(ErrorKind::Input, toString(Root.getError()));
  for (FileKernel &Each : Read) {
    std::vector<CodeKernel> &Known = Kernels[Each.Symbol];
    auto Same = find_if(Known, [&](const CodeKernel &K) { return K.Arch == Arch; });
    CodeKernel &K = Same == Known.end() ? Known.emplace_back(CodeKernel{Arch, {}, {}}) : *Same;
    K.Bitcode.push_back(Bitcode.str());
    for (CodeVariable &V : Each.Variables)
      if (none_of(K.Variables, [&](const CodeVariable &Has) { return Has.Symbol == V.Symbol; }))
        K.Variables.push_back(std::move(V));
  }
  return Error::success();
}

std::string bitcodeProblem(const CodeKernel &K) {
  size_t Missing = 0;
  for (const std::string &File : K.Bitcode) {
    if (!sys::fs::exists(File)) {
      ++Missing;
      continue;
    }
    Expected<std::string> Read = readRegularFile(File);
    if (!Read)
      return toString(Read.takeError());
    if (contentHash(StringRef(*Read)) != sys::path::stem(File))
      return formatv("its device code '{0}' is damaged; build the program anew", File);
  }
  if (Missing == K.Bitcode.size())
    return formatv("its device code '{0}' is missing; build the program anew", K.Bitcode.front());
  return "";
}

/// Whether \p Arch, "sm_90" or "sm_90a", is that of a GPU.
static bool isOf(StringRef Arch, int Major, int Minor) {
  return Arch.consume_front("sm_") &&
         Arch.rtrim("abcdefghijklmnopqrstuvwxyz") == (Twine(Major) + Twine(Minor)).str();
}

const CodeKernel *CodeFolder::find(StringRef Symbol, int Major, int Minor, std::string &Why) const {
  auto Found = Kernels.find(Symbol);
  if (Found == Kernels.end()) {
    Why = "no device code of it in " + Directory + "/" + CodeFolderName;
    return nullptr;
  }
  for (const CodeKernel &K : Found->second)
    if (isOf(K.Arch, Major, Minor))
      return &K;
  Why = formatv("the device code of it in {0}/{1} is for {2}, and this GPU is sm_{3}{4}", Directory,
                CodeFolderName, Found->second.front().Arch, Major, Minor);
  return nullptr;
}

} // namespace gpuprune
