//===- Recording.cpp - A launch of a program as it was recorded ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/Recording.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t Schema = 1;
static constexpr char LaunchName[] = "launch.json", RecordingsName[] = "recordings";

static std::string in(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return std::string(Path);
}

bool isRecording(StringRef Path) { return sys::fs::exists(in(Path, LaunchName)); }
bool isProgramFolder(StringRef Path) { return sys::fs::is_directory(in(Path, RecordingsName)); }

static bool readDim3(const json::Object &O, StringRef Key, Dim3 &D, json::Path Path) {
  const json::Array *Extents = O.getArray(Key);
  bool Good = Extents && Extents->size() == Dim3::size();
  for (unsigned I = 0; Good && I != Dim3::size(); ++I) {
    std::optional<int64_t> Extent = (*Extents)[I].getAsInteger();
    Good = Extent && *Extent > 0 && isUInt<32>(*Extent);
    D[I] = Good ? *Extent : 1;
  }
  if (!Good)
    Path.field(Key).report("expected an array of three positive numbers");
  return Good;
}

/// Only of the folder: a recording comes from elsewhere, perhaps.
static bool isPlainName(StringRef File) {
  return File == sys::path::filename(File) && !File.starts_with(".");
}

static bool fromJSON(const json::Value &Value, RecordedMemory &Memory, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  std::string Address;
  if (!Map || !Map.mapOptional("address", Address) || !Map.mapOptional("symbol", Memory.Symbol) ||
      !Map.map("file", Memory.File) ||
      !mapUnsigned(*Value.getAsObject(), "bytes", Memory.Bytes, Presence::Required, Path))
    return false;
  if (!isPlainName(Memory.File) || Address.empty() == Memory.Symbol.empty() ||
      (!Address.empty() && StringRef(Address).getAsInteger(0, Memory.Address))) {
    Path.report("expected a file of this folder, and an address or a symbol");
    return false;
  }
  return true;
}

static bool readParameter(const json::Value &Value, std::string &Bytes, json::Path Path) {
  const json::Object *O = Value.getAsObject();
  std::optional<StringRef> Digits = O ? O->getString("bytes") : std::nullopt;
  if (Digits && tryGetFromHex(*Digits, Bytes))
    return true;
  Path.report("expected bytes as hexadecimal digits");
  return false;
}

static bool readParameters(const json::Object &O, std::vector<std::string> &Parameters, json::Path Path) {
  const json::Array *All = O.getArray("parameters");
  if (!All) {
    Path.field("parameters").report("expected an array");
    return false;
  }
  for (const auto &[Index, Value] : enumerate(*All))
    if (!readParameter(Value, Parameters.emplace_back(), Path.field("parameters").index(Index)))
      return false;
  return true;
}

static bool fromJSON(const json::Value &Value, Recording &R, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map)
    return false;
  const json::Object &O = *Value.getAsObject();
  uint64_t Version = 0;
  if (!mapUnsigned(O, "schema", Version, Presence::Required, Path))
    return false;
  if (Version != Schema) {
    Path.field("schema").report("expected 1: another version of gpuprune wrote this; record anew");
    return false;
  }
  return Map.map("kernel", R.Kernel) && Map.map("arch", R.Arch) && Map.map("gpu", R.Gpu) &&
         readDim3(O, "grid", R.Launch.Grid, Path) && readDim3(O, "block", R.Launch.Block, Path) &&
         mapUnsigned(O, "dynamic-shared", R.Launch.SharedBytes, Presence::Required, Path) &&
         mapUnsigned(O, "launches", R.Launches, Presence::Required, Path) && Map.map("gpu-ms", R.GpuMs) &&
         readParameters(O, R.Parameters, Path) && Map.map("allocations", R.Allocations) &&
         Map.map("variables", R.Variables);
}

Expected<Recording> readRecording(StringRef Path) {
  std::string File = in(Path, LaunchName);
  Expected<std::string> Text = readFile(File);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Parsed = json::parse(*Text);
  if (!Parsed)
    return makeError(ErrorKind::Input, "'" + File + "' is not JSON: " + toString(Parsed.takeError()));
  Recording R;
  R.Folder = Path.str();
  json::Path::Root Root("recording");
  if (!fromJSON(*Parsed, R, Root))
    return makeError(ErrorKind::Input, "'" + File + "': " + toString(Root.getError()));
  return R;
}

Expected<std::vector<Recording>> readRecordings(StringRef Folder, std::vector<std::string> &Problems) {
  std::vector<Recording> All;
  std::error_code Failed;
  std::string Home = in(Folder, RecordingsName);
  for (sys::fs::directory_iterator At(Home, Failed), End; !Failed && At != End; At.increment(Failed)) {
    if (!isRecording(At->path())) // A recorder was killed while it wrote it.
      continue;
    Expected<Recording> R = readRecording(At->path());
    if (R)
      All.push_back(std::move(*R));
    else
      Problems.push_back(toString(R.takeError()));
  }
  if (Failed)
    return makeError(ErrorKind::Io, "'" + Home + "': " + Failed.message());
  sort(All, [](const Recording &A, const Recording &B) {
    return std::tie(B.GpuMs, A.Folder) < std::tie(A.GpuMs, B.Folder);
  });
  return All;
}

} // namespace gpuprune
