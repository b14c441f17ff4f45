//===- Recording.cpp - A launch with its arguments and data --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/ForeignJson.h"
#include "gpuprune/Support/JsonUnsigned.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t Schema = 1;
/// CUDA's most for the parameters of a kernel is 32764 bytes.
static constexpr size_t MostParameterBytes = 1 << 16;

static json::Value extentToJSON(const Dim3 &D) { return json::Array{D.X, D.Y, D.Z}; }

static void addAfter(json::Object &O, const std::string &After, const std::string &AfterFile) {
  O["after"] = After;
  if (!AfterFile.empty())
    O["after-file"] = AfterFile;
}

static json::Value allocationToJSON(const RecordedAllocation &A) {
  json::Object O{{"address", formatv("{0:x}", A.Address).str()}, {"bytes", A.Bytes}, {"file", A.File}};
  addAfter(O, A.After, A.AfterFile);
  return O;
}

static json::Value variableToJSON(const RecordedVariable &V) {
  json::Object O{{"symbol", V.Symbol}, {"bytes", V.Bytes}, {"file", V.File}};
  addAfter(O, V.After, V.AfterFile);
  return O;
}

json::Value toJSON(const Recording &R) {
  json::Array Parameters, Allocations, Variables;
  for (const std::vector<uint8_t> &Bytes : R.Parameters)
    Parameters.push_back(json::Object{{"bytes", toHex(Bytes, /*LowerCase=*/true)}});
  for (const RecordedAllocation &A : R.Allocations)
    Allocations.push_back(allocationToJSON(A));
  for (const RecordedVariable &V : R.Variables)
    Variables.push_back(variableToJSON(V));
  return json::Object{{"schema", Schema},
                      {"kernel", R.Kernel},
                      {"arch", R.Arch},
                      {"gpu", R.Gpu},
                      {"grid", extentToJSON(R.Grid)},
                      {"block", extentToJSON(R.Block)},
                      {"dynamic-shared", R.DynamicShared},
                      {"launches", R.Launches},
                      {"gpu-ms", R.GpuMs},
                      {"typical-ms", R.TypicalMs},
                      {"parameters", std::move(Parameters)},
                      {"allocations", std::move(Allocations)},
                      {"variables", std::move(Variables)}};
}

static bool extentFromJSON(const json::Object &O, StringRef Key, Dim3 &D, json::Path P) {
  const json::Array *Numbers = O.getArray(Key);
  bool Good = Numbers && Numbers->size() == Dim3::size();
  for (unsigned I = 0; Good && I < Dim3::size(); ++I) {
    std::optional<int64_t> Number = (*Numbers)[I].getAsInteger();
    Good = Number && *Number > 0 && *Number <= std::numeric_limits<uint32_t>::max();
    if (Good)
      D[I] = *Number;
  }
  if (!Good)
    P.field(Key).report("expected three positive numbers");
  return Good;
}

/// A file of the recording's own folder.
static bool fileFromJSON(const json::Object &O, StringRef Key, std::string &File, Presence Need,
                         json::Path P) {
  std::optional<StringRef> Text = O.getString(Key);
  if (!Text && Need == Presence::Optional)
    return true;
  File = Text.value_or("").str();
  bool Good = !File.empty() && File.front() != '.' && !StringRef(File).contains('/') && all_of(File, isPrint);
  if (!Good)
    P.field(Key).report("expected the name of a file in this folder");
  return Good;
}

template <typename T> static bool contentsFromJSON(const json::Object &O, T &To, json::Path P) {
  if (std::optional<StringRef> After = O.getString("after"))
    To.After = After->str();
  return mapUnsigned(O, "bytes", To.Bytes, Presence::Required, P) &&
         fileFromJSON(O, "file", To.File, Presence::Required, P) &&
         fileFromJSON(O, "after-file", To.AfterFile, Presence::Optional, P);
}

static bool fromJSON(const json::Value &V, RecordedAllocation &A, json::Path P) {
  const json::Object *O = V.getAsObject();
  StringRef Address = O ? O->getString("address").value_or("") : "";
  if (!Address.consume_front("0x") || Address.getAsInteger(16, A.Address)) {
    P.report("expected an allocation with an address such as \"0x7f0000000000\"");
    return false;
  }
  return contentsFromJSON(*O, A, P);
}

/// As clang and nvcc make them of names.
static bool isSymbol(StringRef Name) {
  return !Name.empty() && all_of(Name, [](char C) { return isAlnum(C) || StringRef("_$.").contains(C); });
}

static bool fromJSON(const json::Value &V, RecordedVariable &To, json::Path P) {
  const json::Object *O = V.getAsObject();
  To.Symbol = O ? O->getString("symbol").value_or("").str() : "";
  if (!isSymbol(To.Symbol)) {
    P.report("expected a variable with its symbol");
    return false;
  }
  return contentsFromJSON(*O, To, P);
}

namespace {
struct ParameterBytes {
  std::vector<uint8_t> Bytes;
};

bool fromJSON(const json::Value &V, ParameterBytes &To, json::Path P) {
  const json::Object *O = V.getAsObject();
  std::optional<StringRef> Hex = O ? O->getString("bytes") : std::nullopt;
  std::string Text;
  if (!Hex || Hex->size() % 2 != 0 || Hex->size() / 2 > MostParameterBytes || !tryGetFromHex(*Hex, Text)) {
    P.report("expected a parameter with its bytes in hexadecimal digits");
    return false;
  }
  To.Bytes.assign(Text.begin(), Text.end());
  return true;
}
} // namespace

static bool kernelFromJSON(json::ObjectMapper &Map, std::string &Kernel, json::Path P) {
  if (!Map.map("kernel", Kernel))
    return false;
  bool Good = isSymbol(Kernel);
  if (!Good)
    P.field("kernel").report("expected the symbol of a kernel");
  return Good;
}

static bool timesFromJSON(json::ObjectMapper &Map, Recording &R, json::Path P) {
  if (!Map.map("gpu-ms", R.GpuMs) || !Map.mapOptional("typical-ms", R.TypicalMs))
    return false;
  for (auto [Key, Ms] : {std::pair("gpu-ms", R.GpuMs), {"typical-ms", R.TypicalMs}})
    if (!std::isfinite(Ms) || Ms < 0) {
      P.field(Key).report("expected a time in milliseconds");
      return false;
    }
  return true;
}

Expected<Recording> parseRecording(StringRef Text) {
  Expected<json::Value> Parsed = parseForeignJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *O = Parsed->getAsObject();
  if (!O || O->getInteger("schema") != int64_t(Schema))
    return makeError(ErrorKind::Input, formatv("expected \"schema\": {0}; another version of gpuprune wrote "
                                               "this recording",
                                               Schema));
  Recording R;
  std::vector<ParameterBytes> Parameters;
  json::Path::Root Root("recording");
  json::Path P = Root;
  json::ObjectMapper Map(*Parsed, P);
  if (!Map || !kernelFromJSON(Map, R.Kernel, P) || !Map.map("arch", R.Arch) || !Map.map("gpu", R.Gpu) ||
      !timesFromJSON(Map, R, P) || !Map.map("parameters", Parameters) ||
      !Map.map("allocations", R.Allocations) || !Map.map("variables", R.Variables) ||
      !extentFromJSON(*O, "grid", R.Grid, P) || !extentFromJSON(*O, "block", R.Block, P) ||
      !mapUnsigned(*O, "dynamic-shared", R.DynamicShared, Presence::Required, P) ||
      !mapUnsigned(*O, "launches", R.Launches, Presence::Required, P))
    return makeError(ErrorKind::Input, toString(Root.getError()));
  for (ParameterBytes &Each : Parameters)
    R.Parameters.push_back(std::move(Each.Bytes));
  return R;
}

Expected<Recording> readRecording(StringRef Folder) {
  std::string Path = (Folder + "/" + LaunchFile).str();
  Expected<std::string> Text = readRegularFile(Path);
  if (!Text)
    return Text.takeError();
  Expected<Recording> R = parseRecording(*Text);
  return R ? std::move(R) : makeError(ErrorKind::Input, "'" + Path + "': " + toString(R.takeError()));
}

/// One file of contents; \p Hash is empty where none is known.
static Error checkFile(StringRef Folder, StringRef File, uint64_t Bytes, StringRef Hash) {
  std::string Path = (Folder + "/" + File).str();
  uint64_t Size = 0;
  if (std::error_code EC = sys::fs::file_size(Path, Size))
    return makeError(ErrorKind::Input, formatv("'{0}': {1}", Path, EC.message()));
  if (Size != Bytes)
    return makeError(ErrorKind::Input, formatv("'{0}' has {1} bytes, and the recording says {2}; it was "
                                               "changed: record anew",
                                               Path, Size, Bytes));
  if (Hash.empty())
    return Error::success();
  Expected<std::string> Content = readRegularFile(Path);
  if (!Content)
    return Content.takeError();
  if (contentHash(*Content) != Hash)
    return makeError(ErrorKind::Input,
                     formatv("'{0}' does not have its hash; it was changed: record anew", Path));
  return Error::success();
}

template <typename T> static Error checkEach(StringRef Folder, const std::vector<T> &Contents) {
  for (const T &Each : Contents) {
    if (Error E = checkFile(Folder, Each.File, Each.Bytes, ""))
      return E;
    if (!Each.AfterFile.empty())
      if (Error E = checkFile(Folder, Each.AfterFile, Each.Bytes, Each.After))
        return E;
  }
  return Error::success();
}

Error checkContents(StringRef Folder, const Recording &R) {
  if (Error E = checkEach(Folder, R.Allocations))
    return E;
  return checkEach(Folder, R.Variables);
}

/// "smooth" of "void app::smooth<float>(float*, int)"; letters, digits and _ only.
static std::string readableName(StringRef Symbol) {
  std::string Full = demangle(Symbol);
  StringRef Name = StringRef(Full).take_until([](char C) { return C == '(' || C == '<'; });
  if (size_t At = Name.rfind(':'); At != StringRef::npos)
    Name = Name.drop_front(At + 1);
  if (size_t At = Name.rfind(' '); At != StringRef::npos)
    Name = Name.drop_front(At + 1);
  std::string Result;
  for (char C : Name.take_front(40))
    Result += isAlnum(C) ? C : '_';
  return Result.empty() ? "kernel" : Result;
}

std::string recordingName(StringRef Symbol, const Dim3 &Grid, const Dim3 &Block, uint64_t DynamicShared) {
  std::string Key = formatv("{0} {1} {2} {3}", Symbol, Grid.text(), Block.text(), DynamicShared);
  return readableName(Symbol) + "-" + contentHash(Key).substr(0, 16);
}

std::vector<std::string> listRecordings(StringRef Directory) {
  std::vector<std::string> Found;
  std::error_code EC;
  std::string Root = (Directory + "/" + RecordingsFolder).str();
  for (sys::fs::directory_iterator It(Root, EC), End; !EC && It != End; It.increment(EC)) {
    // What is being written, or was when its program was killed, has a name that begins with a dot.
    if (!sys::path::filename(It->path()).starts_with(".") && sys::fs::exists(It->path() + "/" + LaunchFile))
      Found.push_back(It->path());
  }
  sort(Found);
  return Found;
}

} // namespace gpuprune
