//===- TuningTarget.cpp - What is compiled, for what, and with what ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaunchCheck.h"
#include "gpuprune/CodeGen/FlagPaths.h"
#include "gpuprune/Driver/VariantBuilder.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
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

static Error checkOneLaunch(const Workload &W) {
  if (W.Launches.size() == 1)
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("{0}: launches: {1} launches; expected one, more are not supported yet", W.Path,
                           W.Launches.size()));
}

/// The text of \p File, from which it makes \p W anew; empty where that is no longer the workload it was.
static std::string textOf(StringRef File, Workload &W) {
  Expected<std::string> Text = readFile(File);
  Expected<Workload> Same = Text ? parseWorkload(*Text, W.Path) : Text.takeError();
  if (!Same || Same->Source != W.Source || Same->Flags != W.Flags) {
    consumeError(Same.takeError());
    return "";
  }
  W = std::move(*Same);
  return std::move(*Text);
}

static Expected<TuningTarget> loadFromBundle(StringRef Directory, StringRef DeviceName) {
  Expected<FrontendBundle> Bundle = readFrontendBundle(Directory);
  if (!Bundle)
    return Bundle.takeError();
  Expected<Workload> W = workloadOf(*Bundle);
  if (!W)
    return W.takeError();
  SmallString<256> Copy(Directory);
  sys::path::append(Copy, "workload.yaml");
  std::string Text = textOf(Copy, *W);
  if (Error E = checkOneLaunch(*W))
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

Expected<TuningTarget> loadTarget(StringRef WorkloadPath, StringRef DeviceName) {
  if (isFrontendBundle(WorkloadPath))
    return loadFromBundle(WorkloadPath, DeviceName);
  if (Error E = checkNoPlan(WorkloadPath))
    return std::move(E);
  Expected<Workload> W = loadWorkload(WorkloadPath);
  if (!W)
    return W.takeError();
  std::string Text = textOf(W->Path, *W);
  if (Error E = checkOneLaunch(*W))
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

} // namespace gpuprune
