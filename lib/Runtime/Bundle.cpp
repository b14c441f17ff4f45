//===- Bundle.cpp - A measuring plan in a directory -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/RegularFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static constexpr StringLiteral VersionKey = "gpuprune_bundle", CubinsKey = "cubins", CubinWord = "cubin";

static std::string fileIn(StringRef Directory, StringRef Name) {
  SmallString<256> File(Directory);
  sys::path::append(File, Name);
  return std::string(File);
}

static std::string planFile(StringRef Directory) { return fileIn(Directory, PlanFileName); }

/// Every file that \p J names: "cubin", "contents" or "expected output", and its path.
static void forEachFile(Job &J, function_ref<void(StringRef What, std::string &Path)> Visit) {
  auto VisitProgram = [&](Program &P) {
    for (Launch &L : P.Launches)
      Visit(CubinWord, L.Cubin);
  };
  auto VisitProblem = [&](Problem &P) {
    for (Buffer &B : P.Buffers)
      B.Contents.forEachFile([&](Fill &Of) { Visit("contents", Of.File); });
    VisitProgram(P.Candidate);
    if (P.Reference)
      VisitProgram(*P.Reference);
    if (P.Truth)
      VisitProgram(*P.Truth);
    if (P.Stock)
      VisitProgram(*P.Stock);
    for (ExpectedOutput &E : P.Expected)
      if (!E.File.empty())
        Visit("expected output", E.File);
  };
  for (Problem &P : J.Checks)
    VisitProblem(P);
  if (!J.Timing)
    return;
  if (J.Timing->Baseline)
    VisitProgram(*J.Timing->Baseline);
  for (Rival &R : J.Timing->Rivals)
    VisitProblem(R.Run);
}

static Error checkInside(StringRef Directory, StringRef What, StringRef Path, StringRef Id) {
  bool Leaves =
      sys::path::is_absolute(Path) || any_of(make_range(sys::path::begin(Path), sys::path::end(Path)),
                                             [](StringRef Part) { return Part == ".."; });
  if (Leaves)
    return makeError(
        ErrorKind::Input,
        formatv("bundle {0}, job {1}: the {2} {3} lies outside; copy it in and name it relative to the "
                "bundle",
                Directory, Id, What, Path));
  SmallString<256> File(Directory);
  sys::path::append(File, Path);
  if (!sys::fs::exists(File))
    return makeError(ErrorKind::Io,
                     formatv("bundle {0}, job {1}: there is no {2} {3}", Directory, Id, What, Path));
  return Error::success();
}

/// The hash of each cubin that \p J names is in \p Hashes then.
static Error addHashes(StringRef Directory, Job &J, json::Object &Hashes) {
  Error Failed = Error::success();
  forEachFile(J, [&](StringRef What, std::string &Path) {
    if (Failed || What != CubinWord || Hashes.get(Path))
      return;
    Expected<std::string> Hash = hashOfRegularFile(fileIn(Directory, Path));
    if (Hash)
      Hashes[Path] = *Hash;
    else
      Failed = Hash.takeError();
  });
  return Failed;
}

Error checkCubins(const Bundle &B, StringRef Directory) {
  const json::Object *Written = B.Header.getObject(CubinsKey);
  if (!Written)
    return Error::success();
  json::Object Found;
  for (Job J : B.Jobs)
    if (Error E = addHashes(Directory, J, Found))
      return E;
  for (const auto &[Path, Hash] : Found)
    if (Written->getString(Path) != Hash.getAsString())
      return makeError(
          ErrorKind::Input,
          formatv("bundle {0}: the cubin {1} is not the one that the plan was written for, as "
                  "where a copy of another bundle is only partly replaced; copy the whole folder "
                  "again",
                  Directory, StringRef(Path)));
  return Error::success();
}

Error writeBundle(StringRef Directory, json::Object Header, ArrayRef<Job> Jobs) {
  Header[VersionKey] = BundleVersion;
  json::Object Hashes;
  std::string Text;
  raw_string_ostream OS(Text);
  for (Job J : Jobs) {
    if (Error E = validate(J))
      return E;
    Error Outside = Error::success();
    forEachFile(J, [&](StringRef What, std::string &Path) {
      if (!Outside)
        Outside = checkInside(Directory, What, Path, J.Id);
    });
    if (Outside)
      return Outside;
    if (Error E = addHashes(Directory, J, Hashes))
      return E;
    OS << toLine(J);
  }
  Header[CubinsKey] = std::move(Hashes);
  return writeFile(planFile(Directory), formatv("{0}\n{1}", json::Value(std::move(Header)), Text).str());
}

/// Calls \p Take with each line that is not blank; a returned error gets file and line.
static Error forEachLine(StringRef Text, StringRef File,
                         function_ref<Error(StringRef Line, bool Complete)> Take) {
  StringRef Rest = Text;
  for (unsigned Number = 1; !Rest.empty(); ++Number) {
    size_t End = Rest.find('\n');
    bool Complete = End != StringRef::npos;
    StringRef Line = Rest.take_front(End);
    Rest = Rest.drop_front(Complete ? End + 1 : Rest.size());
    if (Line.trim().empty())
      continue;
    if (Error E = Take(Line, Complete)) {
      TakenError Taken = takeError(std::move(E));
      return makeError(Taken.Kind, formatv("{0}:{1}: {2}", File, Number, Taken.Text));
    }
  }
  return Error::success();
}

static Expected<json::Object> parseHeader(StringRef Line) {
  Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed)
    return Parsed.takeError();
  json::Object *O = Parsed->getAsObject();
  std::optional<int64_t> Version = O ? O->getInteger(VersionKey) : std::nullopt;
  if (!Version)
    return makeError(ErrorKind::Input, "expected the bundle's header, an object with gpuprune_bundle");
  if (*Version != BundleVersion)
    return makeError(ErrorKind::Input, formatv("a bundle of version {0}; this program reads version {1}",
                                               *Version, BundleVersion));
  return std::move(*O);
}

Expected<Bundle> parseBundle(StringRef Text, StringRef File) {
  Bundle B;
  bool HasHeader = false;
  Error E = forEachLine(Text, File, [&](StringRef Line, bool) -> Error {
    if (!HasHeader) {
      Expected<json::Object> Header = parseHeader(Line);
      if (!Header)
        return Header.takeError();
      B.Header = std::move(*Header);
      HasHeader = true;
      return Error::success();
    }
    Expected<Job> J = parseJob(Line);
    if (!J)
      return J.takeError();
    B.Jobs.push_back(std::move(*J));
    return Error::success();
  });
  if (E)
    return E;
  if (!HasHeader)
    return makeError(ErrorKind::Input, File + ": the file is empty; expected a header and one job per line");
  return B;
}

Expected<Bundle> readBundle(StringRef Directory) {
  std::string File = planFile(Directory);
  if (!sys::fs::exists(File) && sys::fs::exists(fileIn(Directory, FrontendManifestName)))
    return makeError(ErrorKind::Input,
                     formatv("'{0}' is a front-end bundle, which holds nothing to measure yet; go on with: "
                             "gpuprune tune {0}",
                             Directory));
  Expected<std::string> Text = readRegularFile(File);
  if (Text)
    return parseBundle(*Text, File);
  TakenError Taken = takeError(Text.takeError());
  return makeError(Taken.Kind,
                   Taken.Text + "; expected a folder that 'gpuprune tune WORKLOAD --bundle=DIR' has written");
}

void resolveFiles(Job &J, StringRef Directory) {
  forEachFile(J, [&](StringRef, std::string &Path) {
    if (sys::path::is_absolute(Path))
      return;
    SmallString<256> Full(Directory);
    sys::path::append(Full, Path);
    Path = std::string(Full);
  });
}

Expected<BundleResults> parseResults(StringRef Text, StringRef File) {
  BundleResults Read;
  bool First = true;
  Error E = forEachLine(Text, File, [&](StringRef Line, bool Complete) -> Error {
    if (std::exchange(First, false) && Line.contains("\"hello\"")) {
      Expected<Hello> H = parseHello(Line);
      if (!H)
        return H.takeError();
      Read.Runner = std::move(*H);
      return Error::success();
    }
    Expected<Result> R = parseResult(Line);
    if (R) {
      Read.Results.push_back(std::move(*R));
      return Error::success();
    }
    if (Complete)
      return R.takeError();
    consumeError(R.takeError());
    return Error::success();
  });
  if (E)
    return E;
  return Read;
}

Expected<BundleResults> readResults(StringRef File) {
  Expected<std::string> Text = readFile(File);
  return Text ? parseResults(*Text, File) : Text.takeError();
}

} // namespace gpuprune
