//===- RecordedLaunch.cpp - A launch of a program as a workload -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/RecordedLaunch.h"
#include "gpuprune/Record/RecordingsFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

static std::string in(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return std::string(Path);
}

bool isRecording(StringRef Path) { return sys::fs::exists(in(Path, LaunchFile)); }
bool isProgramFolder(StringRef Path) { return sys::fs::is_directory(in(Path, RecordingsFolder)); }

std::vector<RecordedLaunch> readRecordings(StringRef Folder, std::vector<std::string> &Problems) {
  std::vector<RecordedLaunch> All;
  for (const std::string &Home : listRecordings(Folder)) {
    Expected<Recording> R = readRecording(Home);
    if (R)
      All.push_back({Home, std::move(*R)});
    else
      Problems.push_back(toString(R.takeError()));
  }
  sort(All, [](const RecordedLaunch &A, const RecordedLaunch &B) {
    return std::tie(B.Of.GpuMs, A.Folder) < std::tie(A.Of.GpuMs, B.Folder);
  });
  return All;
}

} // namespace gpuprune
