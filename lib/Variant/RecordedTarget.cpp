//===- RecordedTarget.cpp - A recording as what is tuned -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordedTarget.h"
#include "gpuprune/CodeGen/ContractionFlags.h"
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/CodeGen/InitialContents.h"
#include "gpuprune/Deploy/CollectedCode.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// FOLDER of FOLDER/recordings/NAME.
static StringRef programFolder(StringRef Recording) {
  return sys::path::parent_path(sys::path::parent_path(Recording));
}

static Expected<CollectedCode> codeOf(const RecordedLaunch &Launch) {
  const Recording &R = Launch.Of;
  StringRef Folder = programFolder(Launch.Folder);
  Expected<std::vector<CollectedCode>> Found = findCode(Folder, R.Kernel, R.Arch);
  if (!Found)
    return Found.takeError();
  if (Found->empty())
    return makeError(
        ErrorKind::Input,
        formatv("'{0}': there is no device code of '{1}' for {2} in '{3}/code'; compile its source with "
                "-fpass-plugin=libGpuPrune.so and GPUPRUNE_DIR={3}, without a compiler cache",
                Launch.Folder, R.Kernel, R.Arch, Folder));
  return std::move(Found->front());
}

/// Notes which allocations that the kernel may write held after the launch what they did before it, as \p W
/// has read it; whether there are any.
static bool noteUnchanged(Recording &R, const Workload &W) {
  bool AreAny = false;
  for (const RecordedContents &C : recordedContents(R, W)) {
    auto IsNamed = [&](const BufferSpec &B) { return B.Name == C.Buffer; };
    if (C.Before != C.After || find_if(W.Buffers, IsNamed)->Role != BufferRole::InOut)
      continue;
    for (const auto &[Index, A] : enumerate(R.Allocations))
      AreAny |= A.IsUnchanged |= C.Buffer == formatv("allocation{0}", Index).str();
  }
  return AreAny;
}

static Expected<Workload> workloadOf(RecordedLaunch &Launch, const CollectedCode &Code, StringRef Bitcode,
                                     std::string &Text) {
  Recording &R = Launch.Of;
  Expected<DeviceDescription> Known = describeDevice(Bitcode, R.Kernel);
  if (!Known)
    return Known.takeError();
  Expected<PointerUses> Uses = pointerUses(Bitcode, R.Kernel);
  if (!Uses)
    return Uses.takeError();
  SmallString<256> Path(Launch.Folder);
  sys::path::append(Path, "workload.yaml");
  auto Read = [&]() -> Expected<Workload> {
    if (Error E = workloadText(R, Code.Source, Known->Parameters, *Uses).moveInto(Text))
      return makeError(ErrorKind::Input, "'" + Launch.Folder + "': " + toString(std::move(E)));
    return parseWorkload(Text, Path);
  };
  Expected<Workload> W = Read();
  return W && noteUnchanged(R, *W) ? Read() : std::move(W);
}

/// Whose results are not those of the recorded launch.
static void launchPart(Recording &R, const RecordedPart &Part) {
  R.Grid = Part.Grid.value_or(R.Grid);
  if (Part.LoopEnd)
    for (auto [Byte, Value] : enumerate(R.Parameters[Part.LoopEnd->first]))
      Value = uint8_t(Part.LoopEnd->second >> 8 * Byte);
  for (RecordedAllocation &A : R.Allocations)
    A.After = A.AfterFile = "";
  for (RecordedVariable &V : R.Variables)
    V.After = V.AfterFile = "";
}

/// Variables that nobody has written, as far as the recording shows, hold what they do in code that is just
/// loaded.
static Error leaveOutInitial(Recording &R, StringRef Folder, StringRef Bitcode) {
  Expected<StringMap<std::string>> Initial = initialConstants(Bitcode);
  if (!Initial)
    return Initial.takeError();
  erase_if(R.Variables, [&](const RecordedVariable &V) {
    auto Known = Initial->find(V.Symbol);
    if (Known == Initial->end())
      return false;
    Expected<std::string> Contents = readRegularFile((Folder + "/" + V.File).str());
    if (Contents)
      return *Contents == Known->second;
    consumeError(Contents.takeError()); // Told of where the workload reads it.
    return false;
  });
  return Error::success();
}

/// A replay does not bring variables back.
static Error checkVariables(const Recording &R, StringRef Folder) {
  for (const RecordedVariable &V : R.Variables) {
    Expected<std::string> Contents = readRegularFile((Folder + "/" + V.File).str());
    if (!Contents)
      return Contents.takeError();
    if (!V.After.empty() && contentHash(*Contents) != V.After)
      return makeError(
          ErrorKind::Input,
          formatv("'{0}': the launch writes the variable '{1}'; a kernel can be tuned only where "
                  "what it writes are buffers that it is given (docs/recording.md)",
                  Folder, V.Symbol));
  }
  return Error::success();
}

Expected<TuningTarget> loadRecorded(StringRef Path, StringRef DeviceName, const RecordedPart &Part) {
  SmallString<256> Absolute(Path);
  if (std::error_code Failed = sys::fs::make_absolute(Absolute))
    return makeError(ErrorKind::Io, "'" + Path + "': " + Failed.message());
  sys::path::remove_dots(Absolute);
  Expected<Recording> R = readRecording(Absolute);
  if (!R)
    return R.takeError();
  if (Error E = checkContents(Absolute, *R))
    return std::move(E);
  if (!Part.isAll())
    launchPart(*R, Part);
  RecordedLaunch Launch{std::string(Absolute), std::move(*R)};
  const std::string &Arch = Launch.Of.Arch;
  Expected<CollectedCode> Code = codeOf(Launch);
  if (!Code)
    return Code.takeError();
  Expected<std::string> Bitcode = readCode(*Code);
  if (!Bitcode)
    return Bitcode.takeError();
  if (Error E = leaveOutInitial(Launch.Of, Launch.Folder, *Bitcode))
    return std::move(E);
  if (Error E = checkVariables(Launch.Of, Launch.Folder))
    return std::move(E);
  Expected<std::vector<std::string>> Flags = contractionFlags(*Bitcode);
  if (!Flags)
    return Flags.takeError();
  std::string Text;
  Expected<Workload> W = workloadOf(Launch, *Code, *Bitcode, Text);
  if (!W)
    return W.takeError();
  Expected<const DeviceInfo *> Device = findTargetDevice(DeviceName.empty() ? StringRef(Arch) : DeviceName);
  if (!Device)
    return Device.takeError();
  if ((*Device)->Arch != Arch)
    return makeError(ErrorKind::Usage,
                     formatv("--device={0}: the recording is of a program for {1}", DeviceName, Arch));
  if (Error E = checkLaunchFitsDevice(*W, **Device))
    return std::move(E);
  Expected<Toolchain> Tools = findAssembler();
  if (!Tools)
    return Tools.takeError();
  FrontendBundle Bundle;
  Bundle.Directory = Launch.Folder;
  Bundle.Workload = W->Path;
  Bundle.Source = W->Source;
  Bundle.SourceHash = "";
  Bundle.Device = Arch;
  Bundle.Outputs[""].Bitcode = std::move(*Bitcode);
  Bundle.Files = W->Files;
  std::vector<RecordedContents> Recorded = recordedContents(Launch.Of, *W);
  return TuningTarget{std::move(*W),     *Device,         std::move(*Tools),   std::move(Bundle),
                      std::move(*Flags), std::move(Text), std::move(Recorded), /*IsRecorded=*/true,
                      Code->Path};
}

} // namespace gpuprune
