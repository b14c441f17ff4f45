//===- TuningTarget.cpp - What is compiled, for what, and with what ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordedTarget.h"
#include "gpuprune/CodeGen/FlagPaths.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// \p Error, with the way to do without clang++.
static Error withoutClang(Error E) {
  TakenError Taken = takeError(std::move(E));
  return makeError(Taken.Kind, Taken.Text +
                                   "; a machine without clang++ takes the folder that 'gpuprune tune "
                                   "WORKLOAD --stop-after=frontend --bundle=DIR' has written on another");
}

/// The mistake of taking a measuring bundle for a workload.
static Error checkNoPlan(StringRef Path) {
  SmallString<256> Plan(Path), Yaml(Path);
  sys::path::append(Plan, PlanFileName);
  sys::path::append(Yaml, "workload.yaml");
  if (!sys::fs::exists(Plan) || sys::fs::exists(Yaml))
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("'{0}' is a measuring bundle, whose variants are made already; go on "
                           "with: gpuprune-runner {0} > results.jsonl",
                           Path));
}

/// "1 (init), 2 (sum)"
static std::string launchesOf(const Workload &W) {
  std::vector<std::string> Names;
  for (const auto &[Index, Launch] : enumerate(W.Launches))
    Names.push_back(formatv("{0} ({1})", Index + 1, Launch.Kernel));
  return join(Names, ", ");
}

/// Lets \p W end with its launch \p Number, which counts from 1; 0: the only one.
static Error chooseLaunch(Workload &W, unsigned Number) {
  size_t All = W.Launches.size();
  if (Number > All)
    return makeError(ErrorKind::Usage, formatv("--launch={0}: '{1}' has {2}: {3}", Number, W.Here,
                                               counted(All, "launch", "launches"), launchesOf(W)));
  if (Number == 0 && All > 1)
    return makeError(ErrorKind::Usage, formatv("'{0}' has {1} launches, and this needs one: {2}; give its "
                                               "number with --launch to emit or tune, or tune them together",
                                               W.Here, All, launchesOf(W)));
  W = upToLaunch(std::move(W), Number == 0 ? 0 : Number - 1);
  return Error::success();
}

/// The text of \p File, from which it makes \p W anew; empty where that is no longer the workload it was.
static std::string textOf(StringRef File, Workload &W) {
  Expected<std::string> Text = readRegularFile(File);
  Expected<Workload> Same = Text ? parseWorkload(*Text, W.Path, W.Files, W.Here) : Text.takeError();
  if (!Same || Same->Source != W.Source || Same->Flags != W.Flags) {
    consumeError(Same.takeError());
    return "";
  }
  W = std::move(*Same);
  return std::move(*Text);
}

static Expected<TuningTarget> loadFromBundle(StringRef Directory, StringRef DeviceName, unsigned Launch) {
  Expected<FrontendBundle> Bundle = readFrontendBundle(Directory);
  if (!Bundle)
    return Bundle.takeError();
  Expected<Workload> W = workloadOf(*Bundle);
  if (!W)
    return W.takeError();
  SmallString<256> Copy(Directory);
  sys::path::append(Copy, "workload.yaml");
  std::string Text = textOf(Copy, *W);
  if (Error E = chooseLaunch(*W, Launch))
    return std::move(E);
  Expected<const DeviceInfo *> Device = findTargetDevice(Bundle->Device);
  if (!Device)
    return Device.takeError();
  Expected<const DeviceInfo *> Asked = findTargetDevice(DeviceName.empty() ? Bundle->Device : DeviceName);
  if (!Asked)
    return Asked.takeError();
  if (*Asked != *Device)
    return makeError(ErrorKind::Usage,
                     formatv("--device={0}: the bundle '{1}' was compiled for {2}; write one for {3} "
                             "where clang++ is",
                             DeviceName, Directory, (*Device)->Arch, (*Asked)->Arch));
  if (Error E = checkLaunchFitsDevice(*W, **Device))
    return std::move(E);
  Expected<Toolchain> Tools = findAssembler();
  if (!Tools)
    return Tools.takeError();
  std::vector<std::string> Flags = Bundle->ClangFlags;
  return TuningTarget{std::move(*W),      *Device,          std::move(*Tools),
                      std::move(*Bundle), std::move(Flags), std::move(Text)};
}

/// Input error, which names some, where \p Path has recordings in place of a workload: a program's folder, or
/// that of its recordings.
static Error checkNoRecordings(StringRef Path) {
  constexpr size_t MostNamed = 3;
  StringRef Program = Path.rtrim('/');
  if (sys::path::filename(Program) == RecordingsFolder)
    Program = sys::path::has_parent_path(Program) ? sys::path::parent_path(Program) : ".";
  std::vector<std::string> Found = listRecordings(Program);
  if (Found.empty() || sys::fs::exists(Path + "/workload.yaml"))
    return Error::success();
  size_t All = Found.size();
  Found.resize(std::min(All, MostNamed));
  return makeError(ErrorKind::Input, formatv("'{0}' holds recordings, of which one is to be named: '{1}'{2}",
                                             Path, join(Found, "', '"),
                                             All > MostNamed ? formatv(", … ({0} in all)", All).str() : ""));
}

static Expected<Workload> readWorkload(StringRef Path) {
  if (Error E = checkNoRecordings(Path))
    return std::move(E);
  return loadWorkload(Path);
}

Expected<TuningTarget> loadTarget(StringRef WorkloadPath, StringRef DeviceName, unsigned Launch,
                                  const RecordedPart &Part) {
  if (isFrontendBundle(WorkloadPath))
    return loadFromBundle(WorkloadPath, DeviceName, Launch);
  if (isRecording(WorkloadPath))
    return loadRecorded(WorkloadPath, DeviceName, Part);
  if (Error E = checkNoPlan(WorkloadPath))
    return std::move(E);
  Expected<Workload> W = readWorkload(WorkloadPath);
  if (!W)
    return W.takeError();
  std::string Text = textOf(W->Path, *W);
  if (Error E = chooseLaunch(*W, Launch))
    return std::move(E);
  Expected<const DeviceInfo *> Device =
      findTargetDevice(DeviceName.empty() ? StringRef(DefaultDevice) : DeviceName);
  if (!Device)
    return Device.takeError();
  if (Error E = checkLaunchFitsDevice(*W, **Device))
    return std::move(E);
  if (Expected<std::string> Clang = findClang(); !Clang)
    return withoutClang(Clang.takeError());
  Expected<Toolchain> Tools = findToolchain();
  if (!Tools)
    return Tools.takeError();
  Expected<std::vector<std::string>> Flags = flagsFrom(sys::path::parent_path(W->Path), W->Flags);
  if (!Flags)
    return Flags.takeError();
  return TuningTarget{std::move(*W), *Device,           std::move(*Tools),
                      std::nullopt,  std::move(*Flags), std::move(Text)};
}

Expected<size_t> launchesOfSequence(StringRef WorkloadPath) {
  if (isRecording(WorkloadPath))
    return 0;
  Expected<FrontendBundle> Bundle = isFrontendBundle(WorkloadPath)
                                        ? readFrontendBundle(WorkloadPath)
                                        : Expected<FrontendBundle>(FrontendBundle());
  if (!Bundle)
    return Bundle.takeError();
  Expected<Workload> W = Bundle->Directory.empty() ? readWorkload(WorkloadPath) : workloadOf(*Bundle);
  if (!W)
    return W.takeError();
  return W->isSequence() ? W->Launches.size() : 0;
}

} // namespace gpuprune
