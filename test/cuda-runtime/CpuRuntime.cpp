//===- CpuRuntime.cpp - State of the CUDA runtime for the CPU -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

/// A program that does not look at statuses must not pass a test after a kernel's fault.
static void atEnd(int Status, void *Made) {
  auto *Runtime = static_cast<CpuRuntime *>(Made);
  if (Runtime->Recorder)
    errs() << Runtime->Recorder->finish();
  if (Status != EXIT_SUCCESS || !Runtime->failed())
    return;
  std::fflush(nullptr);
  _exit(EXIT_FAILURE);
}

/// Never destroyed: code that runs while the program ends may still call the runtime.
CpuRuntime &CpuRuntime::get() {
  static CpuRuntime &Runtime = []() -> CpuRuntime & {
    auto *Made = new CpuRuntime;
    Expected<Settings> Set = Settings::fromEnvironment();
    if (!Set) {
      Made->complain(toString(Set.takeError()));
      _exit(EXIT_FAILURE);
    }
    Made->Set = std::move(*Set);
    if (!Made->Set.Record.empty())
      Made->Recorder = std::make_unique<LaunchRecorder>(Made->Set.Record, Made->Memory);
    Made->Sticky.assign(Made->Set.Devices.size(), cudaSuccess);
    on_exit(atEnd, Made);
    return *Made;
  }();
  return Runtime;
}

int &CpuRuntime::currentDevice() {
  static thread_local int Device = 0;
  return Device;
}

cudaError_t &CpuRuntime::lastError() {
  static thread_local cudaError_t Last = cudaSuccess;
  return Last;
}

void CpuRuntime::complain(const Twine &Message) const {
  errs() << "CUDA runtime for the CPU: " << Message << '\n';
}

void CpuRuntime::fail(const Twine &Message) {
  complain(Message);
  Failed = true;
}

RegisteredCode *CpuRuntime::registerCode(const void *FatBinaryWrapper) {
  RegisteredCode &Code = *Registered.emplace_back(std::make_unique<RegisteredCode>());
  if (Expected<std::vector<ArchCode>> Read = readCpuImage(FatBinaryWrapper))
    Code.Codes = std::move(*Read);
  else
    Code.Problem = toString(Read.takeError());
  return &Code;
}

/// Nothing is freed: another library's code may still be running.
void CpuRuntime::unregisterCode(RegisteredCode *Code) {
  auto IsOfCode = [Code](const auto &Entry) { return Entry.second.Code == Code; };
  for (auto *Symbols : {&Functions, &Variables}) {
    SmallVector<const void *> Gone;
    for (const auto &Entry : *Symbols)
      if (IsOfCode(Entry))
        Gone.push_back(Entry.first);
    for (const void *Host : Gone)
      Symbols->erase(Host);
  }
}

/// Machine code for sm_XY runs on devices sm_XZ with Z >= Y (CUDA C++ Programming Guide, "Binary
/// Compatibility"); the newest is taken. There is no PTX to compile for others.
static const ArchCode *codeFor(ArrayRef<ArchCode> Codes, unsigned DeviceArch) {
  const ArchCode *Best = nullptr;
  for (const ArchCode &Code : Codes)
    if (Code.Arch / 10 == DeviceArch / 10 && Code.Arch <= DeviceArch && (!Best || Code.Arch > Best->Arch))
      Best = &Code;
  return Best;
}

cudaError_t CpuRuntime::load(RegisteredCode &Code, DeviceImage *&Image) {
  int Device = currentDevice();
  std::unique_ptr<DeviceImage> &Loaded = Code.Loaded[Device];
  if (!Code.Problem.empty())
    fail(Code.Problem);
  if (!Loaded) {
    unsigned Arch = 0;
    StringRef(device(Device).Arch).drop_front(3).getAsInteger(10, Arch);
    const ArchCode *Fitting = codeFor(Code.Codes, Arch);
    if (!Fitting)
      return cudaErrorNoKernelImageForDevice;
    Expected<std::unique_ptr<DeviceImage>> Made =
        DeviceImage::load(*Fitting, device(Device), Device, Memory, Set);
    if (!Made) {
      fail(toString(Made.takeError()));
      return cudaErrorInvalidKernelImage;
    }
    Loaded = std::move(*Made);
  }
  Image = &*Loaded;
  return cudaSuccess;
}

cudaError_t CpuRuntime::findKernel(const void *Host, FoundKernel &Found) {
  auto Symbol = Functions.find(Host);
  if (Symbol == Functions.end())
    return cudaErrorInvalidDeviceFunction;
  if (cudaError_t Status = load(*Symbol->second.Code, Found.Image))
    return Status;
  Found.Kernel = Found.Image->kernel(Symbol->second.Name);
  return Found.Kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t CpuRuntime::findVariable(const void *Host, const GuardedBuffer *&Found) {
  auto Symbol = Variables.find(Host);
  if (Symbol == Variables.end())
    return cudaErrorInvalidSymbol;
  DeviceImage *Image = nullptr;
  if (cudaError_t Status = load(*Symbol->second.Code, Image))
    return Status;
  Found = Image->variable(Symbol->second.Name);
  return Found ? cudaSuccess : cudaErrorInvalidSymbol;
}

} // namespace gpuprune
