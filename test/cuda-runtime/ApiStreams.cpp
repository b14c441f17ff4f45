//===- ApiStreams.cpp - Streams and events, over as soon as they are asked for ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include <chrono>

using namespace gpuprune;

struct CUstream_st {
  unsigned Flags;
  int Priority, Device;
  unsigned long long Id;
};

struct CUevent_st {
  bool KeepsTime;
  std::optional<std::chrono::steady_clock::time_point> Recorded;
};

namespace {

template <typename F> cudaError_t withStream(cudaStream_t Stream, F Body) {
  return callApi([&](CpuRuntime &Runtime) {
    return Runtime.isStream(Stream) ? Body(Runtime) : cudaErrorInvalidResourceHandle;
  });
}

template <typename F> cudaError_t withEvent(cudaEvent_t Event, F Body) {
  return callApi([&](CpuRuntime &Runtime) {
    return Runtime.Events.contains(Event) ? Body(Runtime) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t succeed(CpuRuntime &) { return cudaSuccess; }

/// Null for the streams that every program has.
CUstream_st *ownStream(CpuRuntime &Runtime, cudaStream_t Stream) {
  return Runtime.Streams.contains(Stream) ? Stream : nullptr;
}

} // namespace

bool CpuRuntime::isStream(cudaStream_t Stream) const {
  return !Stream || Stream == cudaStreamLegacy || Stream == cudaStreamPerThread || Streams.contains(Stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags, int Priority) {
  return callApi([&](CpuRuntime &Runtime) {
    static unsigned long long Made = 2;
    if (!Stream)
      return cudaErrorInvalidValue;
    *Stream = new CUstream_st{Flags, Priority, CpuRuntime::currentDevice(), ++Made};
    Runtime.Streams.insert(*Stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags) {
  return cudaStreamCreateWithPriority(Stream, Flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *Stream) { return cudaStreamCreateWithPriority(Stream, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  return callApi([&](CpuRuntime &Runtime) {
    if (Runtime.Streams.erase(Stream) == 0)
      return cudaErrorInvalidResourceHandle;
    delete Stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) { return withStream(Stream, succeed); }
cudaError_t cudaStreamQuery(cudaStream_t Stream) { return withStream(Stream, succeed); }

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event, unsigned Flags) {
  return withStream(Stream, [&](CpuRuntime &Runtime) {
    return Runtime.Events.contains(Event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Stream, cudaStreamCaptureStatus *Status) {
  return withStream(Stream, [&](CpuRuntime &) {
    *Status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t Stream, int *Priority) {
  return withStream(Stream, [&](CpuRuntime &Runtime) {
    const CUstream_st *Own = ownStream(Runtime, Stream);
    *Priority = Own ? Own->Priority : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t Stream, unsigned *Flags) {
  return withStream(Stream, [&](CpuRuntime &Runtime) {
    const CUstream_st *Own = ownStream(Runtime, Stream);
    *Flags = Own ? Own->Flags : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t Stream, int *Device) {
  return withStream(Stream, [&](CpuRuntime &Runtime) {
    const CUstream_st *Own = ownStream(Runtime, Stream);
    *Device = Own ? Own->Device : CpuRuntime::currentDevice();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t Stream, unsigned long long *Id) {
  return withStream(Stream, [&](CpuRuntime &Runtime) {
    const CUstream_st *Own = ownStream(Runtime, Stream);
    *Id = Own ? Own->Id : Stream == cudaStreamPerThread ? 2 : 1;
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function, void *Data) {
  return withStream(Stream, [&](CpuRuntime &) {
    Function(Data);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t Stream, cudaStreamCallback_t Callback, void *Data,
                                  unsigned Flags) {
  return withStream(Stream, [&](CpuRuntime &) {
    Callback(Stream, cudaSuccess, Data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags) {
  return callApi([&](CpuRuntime &Runtime) {
    if (!Event)
      return cudaErrorInvalidValue;
    *Event = new CUevent_st{!(Flags & cudaEventDisableTiming), std::nullopt};
    Runtime.Events.insert(*Event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *Event) { return cudaEventCreateWithFlags(Event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  return withEvent(Event, [&](CpuRuntime &Runtime) {
    Runtime.Events.erase(Event);
    delete Event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  return withEvent(Event, [&](CpuRuntime &Runtime) {
    if (!Runtime.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    Event->Recorded = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t Event, cudaStream_t Stream, unsigned Flags) {
  return cudaEventRecord(Event, Stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t Event) { return withEvent(Event, succeed); }
cudaError_t cudaEventQuery(cudaEvent_t Event) { return withEvent(Event, succeed); }

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start, cudaEvent_t End) {
  return withEvent(Start, [&](CpuRuntime &Runtime) {
    if (!Runtime.Events.contains(End) || !Start->KeepsTime || !End->KeepsTime || !Start->Recorded ||
        !End->Recorded)
      return cudaErrorInvalidResourceHandle;
    std::chrono::duration<float, std::milli> Elapsed = *End->Recorded - *Start->Recorded;
    *Milliseconds = Elapsed.count();
    return cudaSuccess;
  });
}
