//===- ApiMemory.cpp - Memory: allocating, copying, filling -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuprune;

namespace {

constexpr size_t PitchAlignment = 512;

cudaError_t allocate(CpuRuntime &Runtime, MemoryKind Kind, const char *Name, void **Pointer, size_t Bytes) {
  if (!Pointer)
    return cudaErrorInvalidValue;
  *Pointer = nullptr;
  if (Bytes == 0)
    return cudaSuccess;
  Expected<char *> Made = Runtime.Memory.allocate(Kind, CpuRuntime::currentDevice(), Name, Bytes);
  if (!Made) {
    Runtime.complain(toString(Made.takeError()));
    return cudaErrorMemoryAllocation;
  }
  *Pointer = *Made;
  return cudaSuccess;
}

cudaError_t release(CpuRuntime &Runtime, void *Pointer, ArrayRef<MemoryKind> Kinds) {
  if (!Pointer || Runtime.Memory.release(Pointer, Kinds))
    return cudaSuccess;
  Runtime.complain(formatv("{0} is freed, which is not the beginning of a buffer", Pointer));
  return cudaErrorInvalidValue;
}

/// Rows of bytes somewhere.
struct Region {
  char *Begin;
  size_t Pitch, Width, Height;

  Region(const void *Begin, size_t Bytes)
      : Begin(static_cast<char *>(const_cast<void *>(Begin))), Pitch(Bytes), Width(Bytes), Height(1) {}
  Region(const void *Begin, size_t Pitch, size_t Width, size_t Height)
      : Begin(static_cast<char *>(const_cast<void *>(Begin))), Pitch(Pitch), Width(Width), Height(Height) {}
  size_t bytes() const { return Width && Height ? Pitch * (Height - 1) + Width : 0; }
  char *row(size_t Row) const { return Begin + Row * Pitch; }
};

bool isOnDevice(const DeviceBuffer *Buffer) { return Buffer && Buffer->Kind != MemoryKind::Host; }

/// Whether \p R is where a copy of this direction says; complains if not.
bool isWhere(CpuRuntime &Runtime, const Region &R, bool OnDevice, const char *What) {
  const DeviceBuffer *Buffer = Runtime.Memory.find(R.Begin);
  bool Managed = Buffer && Buffer->Kind == MemoryKind::Managed;
  if (!Buffer && !OnDevice)
    return R.Begin != nullptr;
  if (!Buffer || (isOnDevice(Buffer) != OnDevice && !Managed)) {
    Runtime.complain(formatv("{0} {1} of a copy is {2} memory, which the direction of the copy denies", What,
                             (void *)R.Begin, Buffer ? "device" : "not device"));
    return false;
  }
  if (Runtime.Memory.find(R.Begin, R.bytes()))
    return true;
  Runtime.complain(formatv("{0} of a copy or fill: {1} bytes from byte {2} of '{3}', which has {4}", What,
                           R.bytes(), R.Begin - Buffer->Buffer->Data, Buffer->Buffer->Name,
                           Buffer->Buffer->Bytes));
  return false;
}

cudaError_t copy(CpuRuntime &Runtime, const Region &To, const Region &From, cudaMemcpyKind Kind) {
  if (To.Width > To.Pitch || From.Width > From.Pitch)
    return cudaErrorInvalidPitchValue;
  if (To.bytes() == 0)
    return cudaSuccess;
  bool ToDevice = Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
  bool FromDevice = Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  if (Kind == cudaMemcpyDefault) {
    ToDevice = isOnDevice(Runtime.Memory.find(To.Begin));
    FromDevice = isOnDevice(Runtime.Memory.find(From.Begin));
  } else if (Kind < cudaMemcpyHostToHost || Kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (!isWhere(Runtime, To, ToDevice, "the target") || !isWhere(Runtime, From, FromDevice, "the source"))
    return cudaErrorInvalidValue;
  for (size_t Row = 0; Row < To.Height; ++Row)
    std::memmove(To.row(Row), From.row(Row), To.Width);
  return cudaSuccess;
}

cudaError_t fill(CpuRuntime &Runtime, const Region &To, int Value) {
  if (To.Width > To.Pitch)
    return cudaErrorInvalidPitchValue;
  if (To.bytes() == 0)
    return cudaSuccess;
  if (!isWhere(Runtime, To, /*OnDevice=*/true, "the target"))
    return cudaErrorInvalidValue;
  for (size_t Row = 0; Row < To.Height; ++Row)
    std::memset(To.row(Row), Value, To.Width);
  return cudaSuccess;
}

/// Part of a variable; the status of one that does not have it.
cudaError_t findPart(CpuRuntime &Runtime, const void *Symbol, size_t Bytes, size_t Offset, char *&Begin) {
  const GuardedBuffer *Variable = nullptr;
  if (cudaError_t Status = Runtime.findVariable(Symbol, Variable))
    return Status;
  if (Offset > Variable->Bytes || Bytes > Variable->Bytes - Offset) {
    Runtime.complain(formatv("a copy of {0} bytes from byte {1} of variable '{2}', which has {3}", Bytes,
                             Offset, Variable->Name, Variable->Bytes));
    return cudaErrorInvalidValue;
  }
  Begin = Variable->Data + Offset;
  return cudaSuccess;
}

} // namespace

cudaError_t cudaMalloc(void **Pointer, size_t Bytes) {
  return callApi(
      [&](CpuRuntime &R) { return allocate(R, MemoryKind::Device, "cudaMalloc", Pointer, Bytes); });
}

cudaError_t cudaMallocAsync(void **Pointer, size_t Bytes, cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    return R.isStream(Stream) ? allocate(R, MemoryKind::Device, "cudaMallocAsync", Pointer, Bytes)
                              : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width, size_t Height) {
  return callApi([&](CpuRuntime &R) {
    if (!Pitch)
      return cudaErrorInvalidValue;
    *Pitch = alignTo(Width, PitchAlignment);
    return allocate(R, MemoryKind::Device, "cudaMallocPitch", Pointer, *Pitch * Height);
  });
}

cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned Flags) {
  return callApi(
      [&](CpuRuntime &R) { return allocate(R, MemoryKind::Managed, "cudaMallocManaged", Pointer, Bytes); });
}

cudaError_t cudaMallocHost(void **Pointer, size_t Bytes) {
  return callApi(
      [&](CpuRuntime &R) { return allocate(R, MemoryKind::Host, "cudaMallocHost", Pointer, Bytes); });
}

cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned Flags) {
  return callApi(
      [&](CpuRuntime &R) { return allocate(R, MemoryKind::Host, "cudaHostAlloc", Pointer, Bytes); });
}

cudaError_t cudaHostGetDevicePointer(void **Device, void *Host, unsigned Flags) {
  return callApi([&](CpuRuntime &R) {
    if (!Device || !R.Memory.find(Host))
      return cudaErrorInvalidValue;
    *Device = Host;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void *Pointer) {
  return callApi(
      [&](CpuRuntime &R) { return release(R, Pointer, {MemoryKind::Device, MemoryKind::Managed}); });
}

cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream) { return cudaFree(Pointer); }

cudaError_t cudaFreeHost(void *Pointer) {
  return callApi([&](CpuRuntime &R) { return release(R, Pointer, {MemoryKind::Host}); });
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind,
                            cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    if (!R.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    return copy(R, {To, Bytes}, {From, Bytes}, Kind);
  });
}

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind) {
  return cudaMemcpyAsync(To, From, Bytes, Kind, nullptr);
}

cudaError_t cudaMemcpyPeer(void *To, int ToDevice, const void *From, int FromDevice, size_t Bytes) {
  return cudaMemcpy(To, From, Bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *To, int ToDevice, const void *From, int FromDevice, size_t Bytes,
                                cudaStream_t Stream) {
  return cudaMemcpyAsync(To, From, Bytes, cudaMemcpyDeviceToDevice, Stream);
}

cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From, size_t FromPitch, size_t Width,
                              size_t Height, cudaMemcpyKind Kind, cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    if (!R.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    return copy(R, {To, ToPitch, Width, Height}, {From, FromPitch, Width, Height}, Kind);
  });
}

cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From, size_t FromPitch, size_t Width,
                         size_t Height, cudaMemcpyKind Kind) {
  return cudaMemcpy2DAsync(To, ToPitch, From, FromPitch, Width, Height, Kind, nullptr);
}

cudaError_t cudaMemset2DAsync(void *To, size_t Pitch, int Value, size_t Width, size_t Height,
                              cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    if (!R.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    return fill(R, {To, Pitch, Width, Height}, Value);
  });
}

cudaError_t cudaMemset2D(void *To, size_t Pitch, int Value, size_t Width, size_t Height) {
  return cudaMemset2DAsync(To, Pitch, Value, Width, Height, nullptr);
}

cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes, cudaStream_t Stream) {
  return cudaMemset2DAsync(To, Bytes, Value, Bytes, 1, Stream);
}

cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  return cudaMemsetAsync(To, Value, Bytes, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From, size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    char *To = nullptr;
    if (!R.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t Status = findPart(R, Symbol, Bytes, Offset, To))
      return Status;
    return copy(R, {To, Bytes}, {From, Bytes}, Kind);
  });
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  return cudaMemcpyToSymbolAsync(Symbol, From, Bytes, Offset, Kind, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol, size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind, cudaStream_t Stream) {
  return callApi([&](CpuRuntime &R) {
    char *From = nullptr;
    if (!R.isStream(Stream))
      return cudaErrorInvalidResourceHandle;
    if (cudaError_t Status = findPart(R, Symbol, Bytes, Offset, From))
      return Status;
    return copy(R, {To, Bytes}, {From, Bytes}, Kind);
  });
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes, size_t Offset,
                                 cudaMemcpyKind Kind) {
  return cudaMemcpyFromSymbolAsync(To, Symbol, Bytes, Offset, Kind, nullptr);
}

cudaError_t cudaGetSymbolAddress(void **Address, const void *Symbol) {
  return callApi([&](CpuRuntime &R) {
    char *Begin = nullptr;
    if (cudaError_t Status = findPart(R, Symbol, 0, 0, Begin))
      return Status;
    *Address = Begin;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t *Bytes, const void *Symbol) {
  return callApi([&](CpuRuntime &R) {
    const GuardedBuffer *Variable = nullptr;
    if (cudaError_t Status = R.findVariable(Symbol, Variable))
      return Status;
    *Bytes = Variable->Bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  return callApi([&](CpuRuntime &R) {
    *Total = CpuRuntime::DeviceBytes;
    *Free = *Total - std::min<size_t>(*Total, R.Memory.usedBytes(CpuRuntime::currentDevice()));
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Attributes, const void *Pointer) {
  return callApi([&](CpuRuntime &R) {
    *Attributes = {};
    const DeviceBuffer *Buffer = R.Memory.find(Pointer);
    Attributes->device = Buffer ? Buffer->Device : -1;
    if (!Buffer)
      return cudaSuccess;
    bool IsHost = Buffer->Kind == MemoryKind::Host, IsManaged = Buffer->Kind == MemoryKind::Managed;
    Attributes->type = IsHost ? cudaMemoryTypeHost : IsManaged ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    Attributes->devicePointer = const_cast<void *>(Pointer);
    Attributes->hostPointer = IsHost || IsManaged ? const_cast<void *>(Pointer) : nullptr;
    return cudaSuccess;
  });
}

// Managed memory is where it is.
cudaError_t cudaMemPrefetchAsync(const void *Pointer, size_t Bytes, cudaMemLocation Location, unsigned Flags,
                                 cudaStream_t Stream) {
  return callApi(
      [&](CpuRuntime &R) { return R.Memory.find(Pointer, Bytes) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemAdvise(const void *Pointer, size_t Bytes, cudaMemoryAdvise Advice,
                          cudaMemLocation Location) {
  return cudaMemPrefetchAsync(Pointer, Bytes, Location, 0, nullptr);
}
