//===- Nvml.cpp - The GPU's clock, as libnvidia-ml says ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Nvml.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <dlfcn.h>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static constexpr nvmlReturn_t Success = 0;
static constexpr int SmClock = 1, GpuTemperature = 0;

static bool load(StringRef Path, Nvml &Library) {
  std::string File = Path.empty() ? "libnvidia-ml.so.1" : Path.str();
  void *Handle = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    return false;
  auto Resolve = [&]<typename Function>(const char *Symbol, Function &Member) {
    Member = reinterpret_cast<Function>(dlsym(Handle, Symbol));
  };
  bool Complete = true;
#define GPUPRUNE_NVML_OPTIONAL(Member, Symbol, ...) Resolve(Symbol, Library.Member);
#define GPUPRUNE_NVML(Member, Symbol, ...)                                                                   \
  Resolve(Symbol, Library.Member);                                                                           \
  Complete &= Library.Member != nullptr;
#include "Nvml.def"
  return Complete;
}

std::unique_ptr<ClockReader> ClockReader::open(StringRef Path) {
  auto Reader = std::make_unique<ClockReader>();
  if (!load(Path, Reader->Library) || Reader->Library.Init() != Success)
    return nullptr;
  return Reader;
}

bool ClockReader::find(const std::string &PciBusId) {
  return !PciBusId.empty() && Library.DeviceGetHandleByPciBusId(PciBusId.c_str(), &Device) == Success;
}

void ClockReader::read() {
  TimeTraceScope Scope("read clock");
  unsigned Mhz = 0, Celsius = 0, Milliwatts = 0;
  if (Library.DeviceGetClockInfo(Device, SmClock, &Mhz) != Success || Mhz == 0)
    return;
  if (!Seen) {
    Seen.emplace();
    Seen->MinMhz = Mhz;
    Limits = 0;
  }
  Seen->MinMhz = std::min(Seen->MinMhz, Mhz);
  Seen->MaxMhz = std::max(Seen->MaxMhz, Mhz);
  if (Library.DeviceGetTemperature &&
      Library.DeviceGetTemperature(Device, GpuTemperature, &Celsius) == Success)
    Seen->MaxCelsius = std::max(Seen->MaxCelsius, Celsius);
  if (Library.DeviceGetPowerUsage && Library.DeviceGetPowerUsage(Device, &Milliwatts) == Success)
    Seen->MaxMilliwatts = std::max(Seen->MaxMilliwatts, Milliwatts);
  unsigned long long Now = 0;
  if (Library.DeviceGetClockLimits && Library.DeviceGetClockLimits(Device, &Now) == Success)
    Limits |= Now;
}

std::optional<Clock> ClockReader::take() {
  if (!Seen)
    return std::nullopt;
#define GPUPRUNE_CLOCK_LIMIT(Bit, Name)                                                                      \
  if (Limits & Bit)                                                                                          \
    Seen->Limits.push_back(Name);
#include "Nvml.def"
  return std::exchange(Seen, std::nullopt);
}

} // namespace gpuprune
