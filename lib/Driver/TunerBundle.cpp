//===- TunerBundle.cpp - The bundles that a run writes --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BundleFolder.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// Makes the bundle's folder. An old bundle goes, whole.
Error Tuner::prepareBundle() {
  const std::string &Folder = Options.BundleDirectory;
  if (Folder.empty())
    return Error::success();
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC && !sys::fs::is_directory(Folder))
    EC = std::make_error_code(std::errc::not_a_directory);
  if (!EC)
    EC = sys::fs::access(Folder, sys::fs::AccessMode::Write);
  if (EC)
    return makeError(ErrorKind::Io, formatv("cannot write a bundle to '{0}': {1}", Folder, EC.message()));
  if (writesFrontendBundle() && Target.Frontend)
    return makeError(ErrorKind::Usage,
                     formatv("'{0}' is a front-end bundle already; without --stop-after=frontend "
                             "the run goes on from it",
                             Options.Workload));
  if (!writesFrontendBundle() && isFrontendBundle(Folder))
    return makeError(ErrorKind::Usage,
                     formatv("--bundle={0}: the folder holds a front-end bundle; name another", Folder));
  if (Error E = checkNoWorkloadIn(Folder, Target.W))
    return E;
  return clearBundleFolder(Folder);
}

bool Tuner::writesFrontendBundle() const {
  return Options.StopAfter == Phase::Frontend && !Options.BundleDirectory.empty();
}

Error Tuner::writeFrontend() {
  const Workload &W = Target.W;
  Expected<std::string> Hash = hashOfRegularFile(W.Source);
  if (!Hash)
    return Hash.takeError();
  Expected<std::string> Clang = clangVersion(Target.Tools);
  if (!Clang)
    return Clang.takeError();
  if (size_t Launches = (W.Whole ? *W.Whole : W).Launches.size(); Launches > 1)
    Report.NotMeasured = formatv("the bundle is that of the sequence of {0} launches", Launches);
  if (!Report.NotMeasured.empty())
    Report.NotMeasured += "; ";
  Report.NotMeasured +=
      "go on, with or without clang++, with: gpuprune tune " + shellQuoted(Options.BundleDirectory);
  return writeFrontendBundle(Options.BundleDirectory,
                             {"", W.Path, W.Source, std::move(*Hash), W.Flags, Target.Flags,
                              Target.Device->Arch, std::move(*Clang), Builder->frontends(), W.Files});
}

Error Tuner::writeBundleOf(std::vector<PlannedJob> Planned) {
  std::vector<protocol::Job> Work;
  json::Array Gates;
  for (PlannedJob &Each : Planned) {
    if (Each.IsGate)
      Gates.push_back(Each.Work.Id);
    Work.push_back(std::move(Each.Work));
  }
  std::string Folder = shellQuoted(Options.BundleDirectory);
  Report.NotMeasured = formatv("measure with: gpuprune-runner {0} > results.jsonl; then: gpuprune report {0} "
                               "--results results.jsonl",
                               Folder);
  return writeBundle(
      Options.BundleDirectory,
      json::Object{{"report", toJSON(Report)}, {"final", toJSON(Final.plan())}, {"gates", std::move(Gates)}},
      Work);
}

} // namespace gpuprune
