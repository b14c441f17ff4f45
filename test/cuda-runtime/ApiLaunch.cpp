//===- ApiLaunch.cpp - Launches, and what programs ask about kernels ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include "gpuprune/Device/Occupancy.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// A launch as a program asks for it.
struct Request {
  const void *Function;
  dim3 Grid, Block;
  void **Arguments;
  size_t SharedBytes;
};

Dim3 toDim3(const dim3 &D) { return {D.x, D.y, D.z}; }

cudaError_t statusOf(FaultKind Kind) {
  switch (Kind) {
  case FaultKind::Memory:
  case FaultKind::Guard:
    return cudaErrorIllegalAddress;
  case FaultKind::Misaligned:
    return cudaErrorMisalignedAddress;
  case FaultKind::Assertion:
    return cudaErrorAssert;
  case FaultKind::StackOverflow:
    return cudaErrorHardwareStackError;
  case FaultKind::TimeLimit:
    return cudaErrorLaunchTimeout;
  default:
    return cudaErrorLaunchFailure;
  }
}

/// What the driver looks at before a launch. The static shared memory is checked when the code is assembled.
cudaError_t checkConfiguration(const Request &R, const ImageKernel &Kernel, const DeviceInfo &Info) {
  if (Error E = checkLaunchLimits(Info, toDim3(R.Grid), toDim3(R.Block))) {
    consumeError(std::move(E));
    return cudaErrorInvalidConfiguration;
  }
  uint64_t Threads = uint64_t(R.Block.x) * R.Block.y * R.Block.z;
  if (Threads > Kernel.MaxThreads)
    return cudaErrorLaunchOutOfResources;
  return R.SharedBytes > Kernel.DynamicShared ? cudaErrorInvalidValue : cudaSuccess;
}

void trace(const Request &R, const ImageKernel &Kernel) {
  errs() << formatv("launch {0} grid {1}x{2}x{3} block {4}x{5}x{6} shared {7}\n", Kernel.Symbol, R.Grid.x,
                    R.Grid.y, R.Grid.z, R.Block.x, R.Block.y, R.Block.z, R.SharedBytes);
}

/// The program of \p Kernel, or a status and a message.
cudaError_t compile(CpuRuntime &Runtime, FoundKernel Found, HostProgram *&Program) {
  Expected<HostProgram &> Made = Found.Image->program(*Found.Kernel);
  if (!Made) {
    Runtime.fail("kernel '" + Found.Kernel->Symbol +
                 "' cannot run on the CPU: " + toString(Made.takeError()));
    return cudaErrorNotSupported;
  }
  Program = &*Made;
  return cudaSuccess;
}

/// A fault is the status of later calls, as on a GPU, where the launch is not over when it returns.
cudaError_t run(CpuRuntime &Runtime, const HostProgram &Program, const HostLaunch &Launch) {
  Expected<LaunchReport> Report = Program.launch(Launch);
  if (!Report) {
    Runtime.fail(toString(Report.takeError()));
    return cudaErrorLaunchFailure;
  }
  std::fwrite(Report->Output.data(), 1, Report->Output.size(), stdout);
  if (const std::optional<HostFault> &Fault = Report->Fault) {
    std::string Address = formatv("{0:x}", Fault->Address);
    bool Told = Fault->Address == 0 || StringRef(Fault->Message).contains(Address);
    Runtime.fail(Fault->Message + (Told ? "" : " (address " + Address + ")"));
    Runtime.Sticky[CpuRuntime::currentDevice()] = statusOf(Fault->Kind);
  }
  return cudaSuccess;
}

/// Runs and, where that is asked for, records.
cudaError_t runRecorded(CpuRuntime &Runtime, FoundKernel Found, const HostProgram &Program,
                        const HostLaunch &Launch) {
  int Device = CpuRuntime::currentDevice();
  if (Runtime.Recorder)
    Runtime.Recorder->before(Launch, *Found.Image, Runtime.device(Device), Device);
  cudaError_t Status = run(Runtime, Program, Launch);
  if (Runtime.Recorder)
    Runtime.Recorder->after(Status == cudaSuccess && Runtime.Sticky[Device] == cudaSuccess);
  return Status;
}

cudaError_t launch(CpuRuntime &Runtime, const Request &R) {
  FoundKernel Found;
  if (cudaError_t Status = Runtime.findKernel(R.Function, Found))
    return Status;
  const DeviceInfo &Info = Runtime.device(CpuRuntime::currentDevice());
  if (cudaError_t Status = checkConfiguration(R, *Found.Kernel, Info))
    return Status;
  if (Runtime.Set.Trace)
    trace(R, *Found.Kernel);
  HostProgram *Program = nullptr;
  if (cudaError_t Status = compile(Runtime, Found, Program))
    return Status;
  const HostKernel &Kernel = *Program->kernel(Found.Kernel->Symbol);
  HostLaunch Launch;
  Launch.Kernel = Kernel.Symbol;
  Launch.Grid = toDim3(R.Grid);
  Launch.Block = toDim3(R.Block);
  Launch.SharedBytes = R.SharedBytes;
  Launch.Memory = &Runtime.Memory.guarded();
  Launch.Workers = Runtime.Set.Workers;
  Launch.TimeLimit = Runtime.Set.TimeLimit;
  Launch.ScheduleSeed = Runtime.Set.ScheduleSeed;
  for (unsigned I = 0; I < Kernel.ParameterBytes.size(); ++I) {
    if (!R.Arguments || !R.Arguments[I])
      return cudaErrorInvalidValue;
    const char *Bytes = static_cast<const char *>(R.Arguments[I]);
    Launch.Arguments.emplace_back(Bytes, Bytes + Kernel.ParameterBytes[I]);
  }
  return runRecorded(Runtime, Found, *Program, Launch);
}

/// What a launch with attributes asks for beyond one without.
cudaError_t checkAttributes(CpuRuntime &Runtime, const cudaLaunchConfig_t &Configuration) {
  for (const cudaLaunchAttribute &A : ArrayRef(Configuration.attrs, Configuration.numAttrs)) {
    const auto &Cluster = A.val.clusterDim;
    bool Together = A.id == cudaLaunchAttributeCooperative && A.val.cooperative;
    bool Clusters =
        A.id == cudaLaunchAttributeClusterDimension && uint64_t(Cluster.x) * Cluster.y * Cluster.z > 1;
    if (!Together && !Clusters)
      continue;
    Runtime.fail(Together ? "cooperative launches are not supported" : "clusters are not supported");
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

/// Bytes of static shared memory of a block; 0 if the kernel cannot run here.
uint64_t staticShared(FoundKernel Found) {
  Expected<HostProgram &> Program = Found.Image->program(*Found.Kernel);
  if (Program)
    return Program->kernel(Found.Kernel->Symbol)->StaticShared;
  consumeError(Program.takeError());
  return 0;
}

unsigned residentBlocks(const DeviceInfo &Info, FoundKernel Found, int BlockSize, size_t SharedBytes) {
  KernelResources Resources;
  Resources.Registers = Found.Kernel->Registers;
  Resources.StaticShared = staticShared(Found);
  Resources.DynamicShared = SharedBytes;
  Resources.ThreadsPerBlock = BlockSize;
  return computeOccupancy(Info, Resources).BlocksPerSM;
}

} // namespace

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block, void **Arguments,
                             size_t SharedBytes, cudaStream_t Stream) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Runtime.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    return launch(Runtime, {Function, Grid, Block, Arguments, SharedBytes});
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Configuration, const void *Function,
                                void **Arguments) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Configuration)
      return cudaErrorInvalidValue;
    if (!Runtime.isStream(Configuration->stream))
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t Status = checkAttributes(Runtime, *Configuration))
      return Status;
    return launch(Runtime, {Function, Configuration->gridDim, Configuration->blockDim, Arguments,
                            Configuration->dynamicSmemBytes});
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes, const void *Function) {
  return callApi([&](CpuRuntime &Runtime) {
    FoundKernel Found;
    if (!Attributes)
      return cudaErrorInvalidValue;
    if (cudaError_t Status = Runtime.findKernel(Function, Found))
      return Status;
    *Attributes = {};
    Attributes->sharedSizeBytes = staticShared(Found);
    Attributes->constSizeBytes = Found.Image->constantBytes();
    Attributes->localSizeBytes = Found.Kernel->LocalBytes;
    Attributes->maxThreadsPerBlock = Found.Kernel->MaxThreads;
    Attributes->numRegs = Found.Kernel->Registers;
    Attributes->ptxVersion = Found.Image->arch();
    Attributes->binaryVersion = Found.Image->arch();
    Attributes->maxDynamicSharedSizeBytes = Found.Kernel->DynamicShared;
    Attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *Function, cudaFuncAttribute Attribute, int Value) {
  return callApi([&](CpuRuntime &Runtime) {
    FoundKernel Found;
    if (cudaError_t Status = Runtime.findKernel(Function, Found))
      return Status;
    if (Attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return Value >= -1 && Value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    if (Attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
      Runtime.complain("cudaFuncSetAttribute: attribute " + Twine(int(Attribute)) + " is not supported");
      return cudaErrorNotSupported;
    }
    uint64_t Most = Runtime.device(CpuRuntime::currentDevice()).SharedPerBlockOptIn;
    if (Value < 0 || staticShared(Found) + Value > Most)
      return cudaErrorInvalidValue;
    Found.Kernel->DynamicShared = Value;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *Function, cudaFuncCache Configuration) {
  return callApi([&](CpuRuntime &Runtime) {
    FoundKernel Found;
    return Runtime.findKernel(Function, Found);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *Blocks, const void *Function,
                                                                   int BlockSize, size_t SharedBytes,
                                                                   unsigned Flags) {
  return callApi([&](CpuRuntime &Runtime) {
    FoundKernel Found;
    if (!Blocks || BlockSize < 1)
      return cudaErrorInvalidValue;
    if (cudaError_t Status = Runtime.findKernel(Function, Found))
      return Status;
    const DeviceInfo &Info = Runtime.device(CpuRuntime::currentDevice());
    *Blocks = residentBlocks(Info, Found, BlockSize, SharedBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *Function, int BlockSize,
                                                          size_t SharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(Blocks, Function, BlockSize, SharedBytes, 0);
}
