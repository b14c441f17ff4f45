//===- RecordFolder.cpp - The tuning records of a program ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/RecordFolder.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Support/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// A record takes some two thousand bytes.
static constexpr uint64_t MostBytes = 1 << 20;

static Expected<std::vector<TuningRecord>> readRecord(StringRef Path) {
  Expected<uint64_t> Bytes = sizeOfRegularFile(Path);
  if (!Bytes)
    return createStringError("cannot be read: " + toString(Bytes.takeError()));
  if (*Bytes > MostBytes)
    return createStringError("too large for a tuning record: " + Twine(*Bytes) + " bytes");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Content = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                                                         /*RequiresNullTerminator=*/false);
  if (!Content)
    return createStringError(Content.getError(), "cannot be read: %s", Content.getError().message().c_str());
  return parseTuningRecord((*Content)->getBuffer());
}

/// By name.
static std::vector<std::string> recordPaths(StringRef Folder, std::error_code &Failed) {
  std::vector<std::string> Paths;
  for (sys::fs::directory_iterator At(Folder, Failed), End; !Failed && At != End; At.increment(Failed))
    if (StringRef(At->path()).ends_with(RecordSuffix))
      Paths.push_back(At->path());
  sort(Paths);
  return Paths;
}

std::string recordsDigest(StringRef Folder) {
  std::string Lines;
  std::error_code Failed;
  for (const std::string &Path : recordPaths(Folder, Failed))
    if (Expected<std::string> Content = readRegularFile(Path))
      Lines += (sys::path::filename(Path) + " " + sha256(*Content) + "\n").str();
    else
      consumeError(Content.takeError());
  return sha256(Lines);
}

/// Why \p R is not deployed where only bitwise results are wanted; empty: it is.
static std::string whyNotBitwise(const TuningRecord &R) {
  if (!R.Bitwise)
    return "it is not known whether its results are those of stock clang's code bit by bit";
  if (*R.Bitwise)
    return "";
  return "its results are not those of stock clang's code bit by bit" +
         (R.Difference.empty() ? "" : ": " + R.Difference);
}

void keepBitwise(RecordFolder &Records) {
  for (RecordFile &File : Records.Files)
    erase_if(File.Variants, [&](const TuningRecord &R) {
      std::string Why = whyNotBitwise(R);
      if (!Why.empty())
        File.NotBitwise.push_back("the variant '" + R.name() + "' of '" + File.Name +
                                  "' is not deployed: " + Why);
      return !Why.empty();
    });
}

RecordFolder readRecords(StringRef Folder) {
  RecordFolder Found;
  StringMap<std::string> NameOf; // By what decides on the tuned kernel and its launches.
  std::error_code Failed;
  std::vector<std::string> Paths = recordPaths(Folder, Failed);
  if (Failed && Failed != std::errc::no_such_file_or_directory)
    Found.Problems.push_back(
        formatv("{0}/: cannot be listed: {1}; expected the folder that the records are in", Folder,
                Failed.message()));
  for (const std::string &Path : Paths) {
    std::string Name = sys::path::filename(Path).str();
    Expected<std::vector<TuningRecord>> Record = readRecord(Path);
    if (!Record)
      Found.Problems.push_back(Name + ": " + toString(Record.takeError()));
    else if (auto [Same, New] = NameOf.try_emplace(join(tunedSymbols(*Record, ""), " "), Name); !New)
      Found.Problems.push_back(Name + ": '" + Same->getValue() + "' is the same record; delete one of them");
    else
      Found.Files.push_back({Name, Record->front().Kernel, Record->front().Arch, std::move(*Record)});
  }
  return Found;
}

} // namespace gpuprune
