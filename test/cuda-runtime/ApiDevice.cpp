//===- ApiDevice.cpp - Devices, errors and versions ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include "llvm/ADT/StringRef.h"
#include <cuda_profiler_api.h>

using namespace llvm;
using namespace gpuprune;

namespace {

// Of no row of Devices.def, and of no consequence here.
constexpr int ClockKHz = 1000000, L2Bytes = 32 << 20, MemoryBusBits = 4096;
constexpr size_t ConstantBytes = 64 << 10;

int archNumber(const DeviceInfo &Info) {
  int Number = 0;
  StringRef(Info.Arch).drop_front(3).getAsInteger(10, Number);
  return Number;
}

void fillLimits(cudaDeviceProp &P, const DeviceInfo &Info) {
  P.sharedMemPerBlock = Info.SharedPerBlock;
  P.regsPerBlock = Info.RegistersPerBlock;
  P.warpSize = Info.WarpSize;
  P.maxThreadsPerBlock = Info.ThreadsPerBlock;
  for (unsigned D = 0; D < 3; ++D) {
    P.maxThreadsDim[D] = Info.BlockMax[D];
    P.maxGridSize[D] = Info.GridMax[D];
  }
  P.multiProcessorCount = Info.SMCount;
  P.maxThreadsPerMultiProcessor = Info.ThreadsPerSM;
  P.sharedMemPerMultiprocessor = Info.SharedPerSM;
  P.regsPerMultiprocessor = Info.RegistersPerSM;
  P.sharedMemPerBlockOptin = Info.SharedPerBlockOptIn;
  P.maxBlocksPerMultiProcessor = Info.BlocksPerSM;
  P.reservedSharedMemPerBlock = Info.SharedReserved;
}

cudaDeviceProp propertiesOf(const DeviceInfo &Info, int Device) {
  cudaDeviceProp P = {};
  std::string Name = (Twine(Info.Name) + " (CPU)").str();
  std::strncpy(P.name, Name.c_str(), sizeof(P.name) - 1);
  fillLimits(P, Info);
  P.totalGlobalMem = CpuRuntime::DeviceBytes;
  P.totalConstMem = ConstantBytes;
  P.major = archNumber(Info) / 10;
  P.minor = archNumber(Info) % 10;
  P.memPitch = 0x7fffffff;
  P.textureAlignment = P.surfaceAlignment = 512;
  P.texturePitchAlignment = 32;
  P.concurrentKernels = P.unifiedAddressing = P.managedMemory = 1;
  P.canMapHostMemory = P.globalL1CacheSupported = P.localL1CacheSupported = 1;
  P.memoryPoolsSupported = P.streamPrioritiesSupported = 1;
  P.asyncEngineCount = 2;
  P.memoryBusWidth = MemoryBusBits;
  P.l2CacheSize = L2Bytes;
  P.pciBusID = Device + 1;
  return P;
}

/// False for an attribute that this runtime does not know.
bool readAttribute(const cudaDeviceProp &P, cudaDeviceAttr Attribute, int &Value) {
  switch (Attribute) {
#define ATTRIBUTE(Enumerator, Expression)                                                                    \
  case cudaDevAttr##Enumerator:                                                                              \
    Value = Expression;                                                                                      \
    return true;
#include "DeviceAttributes.def"
  default:
    return false;
  }
}

} // namespace

cudaError_t cudaGetDeviceCount(int *Count) {
  return callApi([&](CpuRuntime &Runtime) {
    *Count = Runtime.Set.Devices.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int *Device) {
  return callApi([&](CpuRuntime &) {
    *Device = CpuRuntime::currentDevice();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int Device) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Runtime.hasDevice(Device))
      return cudaErrorInvalidDevice;
    CpuRuntime::currentDevice() = Device;
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int Device, unsigned DeviceFlags, unsigned Flags) {
  return callApi(
      [&](CpuRuntime &Runtime) { return Runtime.hasDevice(Device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaSetDeviceFlags(unsigned Flags) {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties, int Device) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Runtime.hasDevice(Device))
      return cudaErrorInvalidDevice;
    *Properties = propertiesOf(Runtime.device(Device), Device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute, int Device) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Runtime.hasDevice(Device))
      return cudaErrorInvalidDevice;
    if (readAttribute(propertiesOf(Runtime.device(Device), Device), Attribute, *Value))
      return cudaSuccess;
    Runtime.complain("cudaDeviceGetAttribute: attribute " + Twine(int(Attribute)) + " is not supported");
    return cudaErrorNotSupported;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

/// A real device frees all memory here; what the program still holds stays valid here.
cudaError_t cudaDeviceReset() {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

cudaError_t cudaDeviceCanAccessPeer(int *CanAccess, int Device, int Peer) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Runtime.hasDevice(Device) || !Runtime.hasDevice(Peer))
      return cudaErrorInvalidDevice;
    *CanAccess = Device != Peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int Peer, unsigned Flags) {
  return callApi([&](CpuRuntime &Runtime) {
    return Runtime.hasDevice(Peer) && Peer != CpuRuntime::currentDevice() ? cudaSuccess
                                                                          : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  return callApi([&](CpuRuntime &) {
    *Least = 0;
    *Greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache Configuration) {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

/// Kernels have all the memory that they ask for.
cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value) {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

cudaError_t cudaProfilerStart() {
  return callApi([](CpuRuntime &) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() { return cudaProfilerStart(); }

cudaError_t cudaDriverGetVersion(int *Version) {
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *Version) {
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

/// What a kernel did stays; other errors are told once.
cudaError_t cudaGetLastError() {
  cudaError_t Last = cudaPeekAtLastError();
  CpuRuntime::lastError() = cudaSuccess;
  return Last;
}

cudaError_t cudaPeekAtLastError() {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  cudaError_t Sticky = Runtime.Sticky[CpuRuntime::currentDevice()];
  return Sticky != cudaSuccess ? Sticky : CpuRuntime::lastError();
}
