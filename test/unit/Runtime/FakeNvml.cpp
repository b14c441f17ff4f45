//===- FakeNvml.cpp - NVML without a GPU ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows the devices of FakeCuda. Environment:
//   FAKE_NVML_MHZ     "1980;1500": the clock, a reading each, the last again and again (default 1980)
//   FAKE_NVML_LIMITS  bits of what limits the clock (default 0)
//
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <cstring>
#include <string>

// As in Nvml.h, which includes what a fake does not need.
using nvmlReturn_t = int;
using nvmlDevice_t = struct nvmlDevice_st *;

#define ENTRY extern "C" __attribute__((visibility("default"))) nvmlReturn_t

static constexpr nvmlReturn_t Success = 0, InvalidArgument = 2, NotFound = 6;

ENTRY nvmlInit_v2() { return Success; }
ENTRY nvmlDeviceGetHandleByPciBusId_v2(const char *Id, nvmlDevice_t *Device) {
  if (std::strncmp(Id, "fa4e:", 5) != 0)
    return NotFound;
  static char TheDevice;
  *Device = reinterpret_cast<nvmlDevice_t>(&TheDevice);
  return Success;
}
ENTRY nvmlDeviceGetClockInfo(nvmlDevice_t, int Kind, unsigned *Mhz) {
  if (Kind != 1)
    return InvalidArgument;
  static std::string Rest = std::getenv("FAKE_NVML_MHZ") ? std::getenv("FAKE_NVML_MHZ") : "1980";
  *Mhz = static_cast<unsigned>(std::atoi(Rest.c_str()));
  if (size_t Separator = Rest.find(';'); Separator != std::string::npos)
    Rest.erase(0, Separator + 1);
  return Success;
}
ENTRY nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t, unsigned long long *Bits) {
  const char *Text = std::getenv("FAKE_NVML_LIMITS");
  *Bits = Text ? std::strtoull(Text, nullptr, 0) : 0;
  return Success;
}
ENTRY nvmlDeviceGetTemperature(nvmlDevice_t, int, unsigned *Celsius) {
  *Celsius = 45;
  return Success;
}
ENTRY nvmlDeviceGetPowerUsage(nvmlDevice_t, unsigned *Milliwatts) {
  *Milliwatts = 350000;
  return Success;
}
