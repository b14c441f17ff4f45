//===- FakeCuda.cpp - A driver and CUPTI in one, on the host -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the GPU is the host's, a launch has ended when it returns, and what NVIDIA's driver forbids while
// a stream is being captured ends the process with a message.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace gpuprune;

namespace {

using CallbackFunction = void (*)(void *, int, uint32_t, const void *);
using RequestFunction = void (*)(uint8_t **, size_t *, size_t *);
using CompleteFunction = void (*)(CUcontext, uint32_t, uint8_t *, size_t, size_t);

struct Allocation {
  size_t Bytes;
  unsigned Type; // 1: the host's, 2: the device's.
};

std::mutex Lock;
std::map<uint64_t, Allocation> Allocations;
std::set<CUstream> Capturing;
std::vector<cupti::KernelActivity> Activity;
CallbackFunction Callback = nullptr;
std::set<uint32_t> Enabled;
RequestFunction Request = nullptr;
CompleteFunction Complete = nullptr;
std::atomic<uint32_t> Correlation = 0;

constexpr CUresult InvalidHandle = 400;

/// Ends the process where a capture would be broken.
void forbiddenInCapture(const char *What) {
  std::lock_guard<std::mutex> Held(Lock);
  if (Capturing.empty())
    return;
  std::fprintf(stderr, "fake driver: %s while a stream is being captured\n", What);
  std::_Exit(99);
}

/// Calls back before and after \p Do.
template <typename Params, typename Function>
CUresult traced(uint32_t Id, const char *Name, const Params &P, const char *Symbol, Function Do) {
  CUresult Result = 0;
  uint64_t Kept = 0;
  cupti::CallbackData Data{cupti::Enter, Name, &P, &Result, Symbol, nullptr, 0, &Kept, ++Correlation};
  bool Told = Callback && Enabled.contains(Id);
  if (Told)
    Callback(nullptr, cupti::DriverApi, Id, &Data);
  Result = Do(Data.CorrelationId);
  Data.CallbackSite = cupti::Exit;
  if (Told)
    Callback(nullptr, cupti::DriverApi, Id, &Data);
  return Result;
}

CUresult runKernel(const FakeKernel &Kernel, const uint32_t *Grid, const uint32_t *Block, uint32_t Shared,
                   CUstream Stream, void **Parameters, uint32_t Number) {
  if (uint64_t(Block[0]) * Block[1] * Block[2] > 1024)
    return cuda::InvalidValue;
  {
    std::lock_guard<std::mutex> Held(Lock);
    if (Capturing.contains(Stream))
      return cuda::Success;
    cupti::KernelActivity A{};
    A.Kind = cupti::ConcurrentKernel;
    A.Start = 1000;
    A.End = 501000; // Half a millisecond.
    std::memcpy(A.Grid, Grid, sizeof(A.Grid));
    std::memcpy(A.Block, Block, sizeof(A.Block));
    A.DynamicShared = int32_t(Shared);
    A.CorrelationId = Number;
    A.Name = Kernel.Symbol;
    Activity.push_back(A);
  }
  Kernel.Run(Parameters);
  return cuda::Success;
}

} // namespace

extern "C" {

std::atomic<bool> FakeGpuIsBusy = false;
float FakeWeights[4] = {1, 2, 3, 4};

CUresult cuInit(unsigned) {
  const char *Path = std::getenv("CUDA_INJECTION64_PATH");
  void *Library = Path ? dlopen(Path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (Library)
    reinterpret_cast<int (*)()>(dlsym(Library, "InitializeInjection"))();
  return cuda::Success;
}

CUresult cuMemAlloc_v2(CUdeviceptr *Address, size_t Bytes) {
  std::lock_guard<std::mutex> Held(Lock);
  *Address = reinterpret_cast<uint64_t>(std::calloc(1, Bytes));
  Allocations[*Address] = {Bytes, 2};
  return cuda::Success;
}
CUresult cuMemAllocHost_v2(void **Address, size_t Bytes) {
  std::lock_guard<std::mutex> Held(Lock);
  *Address = std::calloc(1, Bytes);
  Allocations[reinterpret_cast<uint64_t>(*Address)] = {Bytes, 1};
  return cuda::Success;
}
CUresult cuMemFree_v2(CUdeviceptr Address) {
  std::lock_guard<std::mutex> Held(Lock);
  Allocations.erase(Address);
  std::free(reinterpret_cast<void *>(Address));
  return cuda::Success;
}

CUresult cuPointerGetAttribute(void *To, int Attribute, CUdeviceptr Address) {
  std::lock_guard<std::mutex> Held(Lock);
  auto At = Allocations.upper_bound(Address);
  if (At == Allocations.begin() || Address - std::prev(At)->first >= std::prev(At)->second.Bytes)
    return cuda::InvalidValue;
  --At;
  uint64_t Value = 0;
  switch (Attribute) {
  case cuda::PointerRangeStart:
    Value = At->first;
    break;
  case cuda::PointerRangeSize:
    Value = At->second.Bytes;
    break;
  case cuda::PointerMemoryType:
    std::memcpy(To, &At->second.Type, sizeof(unsigned));
    return cuda::Success;
  case cuda::PointerIsManaged:
  case cuda::PointerDeviceOrdinal:
    std::memset(To, 0, sizeof(unsigned));
    return cuda::Success;
  default:
    return cuda::InvalidValue;
  }
  std::memcpy(To, &Value, sizeof(Value));
  return cuda::Success;
}

CUresult cuLaunchKernel(CUfunction Function, unsigned GX, unsigned GY, unsigned GZ, unsigned BX, unsigned BY,
                        unsigned BZ, unsigned Shared, CUstream Stream, void **Parameters, void **Extra) {
  auto &Kernel = *reinterpret_cast<FakeKernel *>(Function);
  cupti::LaunchParams P{Function, {GX, GY, GZ}, {BX, BY, BZ}, Shared, Stream, Parameters, Extra};
  return traced(307, "cuLaunchKernel", P, Kernel.Symbol, [&](uint32_t Number) {
    return runKernel(Kernel, P.Grid, P.Block, Shared, Stream, Parameters, Number);
  });
}
CUresult cuLaunchKernelEx(const cupti::LaunchConfig *Config, CUfunction Function, void **Parameters,
                          void **Extra) {
  auto &Kernel = *reinterpret_cast<FakeKernel *>(Function);
  cupti::LaunchExParams P{Config, Function, Parameters, Extra};
  return traced(652, "cuLaunchKernelEx", P, Kernel.Symbol, [&](uint32_t Number) {
    return runKernel(Kernel, Config->Grid, Config->Block, Config->SharedBytes, Config->Stream, Parameters,
                     Number);
  });
}
CUresult cuStreamBeginCapture_v2(CUstream Stream, int) {
  return traced(539, "cuStreamBeginCapture_v2", cupti::StreamParams{Stream}, nullptr, [&](uint32_t) {
    std::lock_guard<std::mutex> Held(Lock);
    Capturing.insert(Stream);
    return cuda::Success;
  });
}
CUresult cuStreamEndCapture(CUstream Stream, void **) {
  return traced(497, "cuStreamEndCapture", cupti::StreamParams{Stream}, nullptr, [&](uint32_t) {
    std::lock_guard<std::mutex> Held(Lock);
    Capturing.erase(Stream);
    return cuda::Success;
  });
}
CUresult cuTexObjectCreate(uint64_t *Object, const void *, const void *, const void *) {
  return traced(339, "cuTexObjectCreate", cupti::ObjectCreateParams{Object}, nullptr, [&](uint32_t) {
    *Object = 7;
    return cuda::Success;
  });
}
CUresult cuStreamIsCapturing(CUstream Stream, int *Status) {
  std::lock_guard<std::mutex> Held(Lock);
  *Status = Capturing.contains(Stream);
  return cuda::Success;
}

CUresult cuCtxSynchronize() {
  forbiddenInCapture("cuCtxSynchronize");
  while (FakeGpuIsBusy)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return cuda::Success;
}
CUresult cuMemcpyDtoHAsync_v2(void *To, CUdeviceptr From, size_t Bytes, CUstream) {
  forbiddenInCapture("cuMemcpyDtoHAsync");
  std::memcpy(To, reinterpret_cast<void *>(From), Bytes);
  return cuda::Success;
}
CUresult cuStreamCreate(CUstream *Stream, unsigned) {
  static std::atomic<uintptr_t> Number = 16;
  *Stream = reinterpret_cast<CUstream>(++Number);
  return cuda::Success;
}
CUresult cuStreamDestroy_v2(CUstream) { return cuda::Success; }
CUresult cuStreamSynchronize(CUstream) { return cuda::Success; }
CUresult cuCtxGetCurrent(CUcontext *Context) {
  *Context = reinterpret_cast<CUcontext>(uintptr_t(1));
  return cuda::Success;
}
CUresult cuCtxSetCurrent(CUcontext) { return cuda::Success; }
CUresult cuCtxGetDevice(CUdevice *Device) {
  *Device = 0;
  return cuda::Success;
}
CUresult cuDeviceGetName(char *Name, int Bytes, CUdevice) {
  std::snprintf(Name, size_t(Bytes), "Fake GPU");
  return cuda::Success;
}
CUresult cuDeviceGetAttribute(int *Value, int Attribute, CUdevice) {
  *Value = Attribute == cuda::ComputeCapabilityMajor ? 9 : 0;
  return cuda::Success;
}
CUresult cuGetErrorName(CUresult, const char **Name) {
  *Name = "CUDA_ERROR_FAKE";
  return cuda::Success;
}
CUresult cuFuncGetName(const char **, CUfunction) { return InvalidHandle; }
CUresult cuKernelGetName(const char **Name, CUkernel Kernel) {
  *Name = reinterpret_cast<FakeKernel *>(Kernel)->Symbol;
  return cuda::Success;
}
CUresult cuKernelGetParamInfo(CUkernel Kernel, size_t Index, size_t *Offset, size_t *Bytes) {
  auto &Sizes = reinterpret_cast<FakeKernel *>(Kernel)->ParameterBytes;
  if (Index >= Sizes.size())
    return cuda::InvalidValue;
  *Offset = 0;
  *Bytes = Sizes[Index];
  return cuda::Success;
}
CUresult cuFuncGetAttribute(int *Value, int, CUfunction) {
  *Value = 0;
  return cuda::Success;
}
CUresult cuKernelGetAttribute(int *Value, int, CUkernel Kernel, CUdevice) {
  *Value = reinterpret_cast<FakeKernel *>(Kernel)->ClusterWidth;
  return cuda::Success;
}
CUresult cuKernelGetLibrary(CUlibrary *Library, CUkernel) {
  *Library = reinterpret_cast<CUlibrary>(uintptr_t(1));
  return cuda::Success;
}
CUresult cuLibraryGetGlobal(CUdeviceptr *Address, size_t *Bytes, CUlibrary, const char *Symbol) {
  if (std::strcmp(Symbol, "weights") != 0)
    return cuda::NotFound;
  *Address = reinterpret_cast<uint64_t>(FakeWeights);
  *Bytes = sizeof(FakeWeights);
  return cuda::Success;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *) { return cuda::NotFound; }

cupti::Result cuptiSubscribe(cupti::Subscriber *, CallbackFunction To, void *) {
  if (Callback)
    return cupti::MultipleSubscribers;
  Callback = To;
  return cupti::Success;
}
cupti::Result cuptiEnableCallback(uint32_t, cupti::Subscriber, int, uint32_t Id) {
  Enabled.insert(Id);
  return cupti::Success;
}
cupti::Result cuptiGetCallbackName(int, uint32_t, const char **) { return cuda::InvalidValue; }
cupti::Result cuptiActivityEnable(int) { return cupti::Success; }
cupti::Result cuptiActivityRegisterCallbacks(RequestFunction To, CompleteFunction Done) {
  Request = To;
  Complete = Done;
  return cupti::Success;
}
cupti::Result cuptiActivityGetNextRecord(uint8_t *Buffer, size_t Valid, void **Record) {
  uint8_t *Next = *Record ? static_cast<uint8_t *>(*Record) + sizeof(cupti::KernelActivity) : Buffer;
  if (Next >= Buffer + Valid)
    return cuda::InvalidValue;
  *Record = Next;
  return cupti::Success;
}
cupti::Result cuptiActivityFlushAll(uint32_t) {
  uint8_t *Buffer = nullptr;
  size_t Size = 0, Most = 0;
  Request(&Buffer, &Size, &Most);
  size_t Valid = Activity.size() * sizeof(cupti::KernelActivity);
  if (Valid > Size)
    std::abort();
  std::memcpy(Buffer, Activity.data(), Valid);
  Activity.clear();
  Complete(nullptr, 0, Buffer, Size, Valid);
  return cupti::Success;
}

} // extern "C"
