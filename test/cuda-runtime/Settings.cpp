//===- Settings.cpp - What the environment says to the CUDA runtime for the CPU ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Settings.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace llvm;

namespace gpuprune {

static Error badValue(StringRef Name, StringRef Value, const Twine &Expected) {
  return makeError(ErrorKind::Usage, formatv("{0} is '{1}'; expected {2}", Name, Value, Expected.str()));
}

static StringRef value(const char *Name) {
  const char *Text = std::getenv(Name);
  return Text ? Text : "";
}

template <typename T> static Error readNumber(const char *Name, T &Number) {
  StringRef Text = value(Name);
  if (!Text.empty() && Text.getAsInteger(10, Number))
    return badValue(Name, Text, "a number");
  return Error::success();
}

static Error readSwitch(const char *Name, bool &On) {
  StringRef Text = value(Name);
  if (!Text.empty() && Text != "0" && Text != "1")
    return badValue(Name, Text, "0 or 1");
  On = Text == "1";
  return Error::success();
}

static Error readDevices(std::vector<const DeviceInfo *> &Devices) {
  SmallVector<StringRef> Names;
  value("GPUPRUNE_CPU_DEVICES").split(Names, ',', -1, /*KeepEmpty=*/false);
  if (Names.empty())
    Names.push_back(DefaultDevice);
  for (StringRef Name : Names) {
    Expected<const DeviceInfo *> Device = findTargetDevice(Name.trim());
    if (!Device)
      return joinErrors(makeError(ErrorKind::Usage, "GPUPRUNE_CPU_DEVICES"), Device.takeError());
    Devices.push_back(*Device);
  }
  return Error::success();
}

static Error readRegisters(StringMap<unsigned> &Registers) {
  constexpr const char *Name = "GPUPRUNE_CPU_REGISTERS";
  SmallVector<StringRef> Pairs;
  value(Name).split(Pairs, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Pair : Pairs) {
    auto [Kernel, Text] = Pair.rsplit('=');
    unsigned Count = 0;
    if (Kernel.empty() || Text.getAsInteger(10, Count))
      return badValue(Name, value(Name), "KERNEL=NUMBER,...");
    Registers[Kernel.trim()] = Count;
  }
  return Error::success();
}

Expected<Settings> Settings::fromEnvironment() {
  Settings Read;
  Error Problems = joinErrors(readDevices(Read.Devices), readRegisters(Read.Registers));
  Problems = joinErrors(std::move(Problems), readSwitch("GPUPRUNE_CPU_WATCH", Read.Watch));
  Problems = joinErrors(std::move(Problems), readSwitch("GPUPRUNE_CPU_FAST", Read.Fast));
  Problems = joinErrors(std::move(Problems), readSwitch("GPUPRUNE_CPU_TRACE", Read.Trace));
  Problems = joinErrors(std::move(Problems), readNumber("GPUPRUNE_CPU_WORKERS", Read.Workers));
  Problems = joinErrors(std::move(Problems), readNumber("GPUPRUNE_CPU_SEED", Read.ScheduleSeed));
  Problems = joinErrors(std::move(Problems), readNumber("GPUPRUNE_CPU_TIME_LIMIT", Read.TimeLimit));
  Read.Record = value("GPUPRUNE_CPU_RECORD").str();
  if (Problems)
    return std::move(Problems);
  return Read;
}

unsigned Settings::registersOf(StringRef Symbol) const {
  for (const auto &Entry : Registers)
    if (Entry.getKey() == Symbol || isKernelNamed(Symbol, Entry.getKey()))
      return Entry.getValue();
  return 0;
}

} // namespace gpuprune
