//===- BundleFolder.cpp - Folders that bundles are written to --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundleFolder.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <algorithm>

using namespace llvm;

namespace gpuprune {

/// The files of a bundle: what assembling, the check on the CPU and the front end write. Only names with
/// which a user's own files are not confused.
static bool isOfBundle(StringRef Name) {
  static const Regex Made("^(references\\.cubin|from[0-9]+\\.cubin|kept-[^.]+\\.cubin|"
                          "(references|from[0-9]+)\\.cubin\\.[0-9]+\\.cubin|"
                          "expected[0-9]+-[0-9]+\\.bin|contents-[0-9a-f]+\\.bin|device[0-9]+\\.bc|"
                          "file[0-9]+(\\.[A-Za-z0-9]+)?)$");
  return Name == PlanFileName || Name == FrontendManifestName || Made.match(Name);
}

static Error cannotUse(StringRef Folder, const Twine &Why) {
  return makeError(ErrorKind::Io, "cannot write a bundle to '" + Folder + "': " + Why);
}

Error clearBundleFolder(StringRef Folder) {
  std::vector<std::string> Ours, Others;
  std::error_code EC;
  for (sys::fs::directory_iterator File(Folder, EC), End; !EC && File != End; File.increment(EC))
    (isOfBundle(sys::path::filename(File->path())) ? Ours : Others).push_back(File->path());
  if (EC)
    return cannotUse(Folder, EC.message());
  auto IsNamed = [](StringRef Name) {
    return [Name](StringRef Path) { return sys::path::filename(Path) == Name; };
  };
  bool IsFrontend = any_of(Ours, IsNamed(FrontendManifestName));
  if (IsFrontend) // Beside a manifest the workload is the bundle's copy.
    if (auto Copy = find_if(Others, IsNamed("workload.yaml")); Copy != Others.end()) {
      Ours.push_back(*Copy);
      Others.erase(Copy);
    }
  if (!Others.empty() && !IsFrontend && none_of(Ours, IsNamed(PlanFileName)))
    return cannotUse(Folder, "it holds '" + sys::path::filename(Others.front()) +
                                 "' and no bundle; name a new or an empty folder");
  // What makes it a bundle goes first: one that is removed in part is none.
  std::stable_partition(Ours.begin(), Ours.end(), [&](StringRef Path) {
    return IsNamed(PlanFileName)(Path) || IsNamed(FrontendManifestName)(Path);
  });
  for (const std::string &Path : Ours)
    if (std::error_code Failed = sys::fs::remove(Path))
      return makeError(ErrorKind::Io, formatv("{0}: {1}", Path, Failed.message()));
  return Error::success();
}

} // namespace gpuprune
