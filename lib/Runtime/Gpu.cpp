//===- Gpu.cpp - One device and its memory --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Gpu.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Large enough to reach the bus's bandwidth; a multiple of every element size.
static constexpr uint64_t StagingBytes = uint64_t(16) << 20;

char JobFailure::ID = 0;

void JobFailure::log(raw_ostream &OS) const { OS << Text; }

std::error_code JobFailure::convertToErrorCode() const { return inconvertibleErrorCode(); }

Error Gpu::check(CUresult Code, const char *Call, ResultStatus Status) const {
  if (Code == cuda::Success)
    return Error::success();
  return make_error<JobFailure>(Status, formatv("{0}: {1}", Call, Driver->describe(Code)));
}

Expected<std::unique_ptr<Gpu>> Gpu::open(StringRef DriverPath, int Ordinal) {
  Expected<std::unique_ptr<CudaDriver>> Driver = CudaDriver::load(DriverPath);
  if (!Driver)
    return Driver.takeError();
  std::unique_ptr<Gpu> G(new Gpu);
  G->Driver = std::move(*Driver);
  if (Error E = G->initialise(Ordinal))
    return E;
  Error E = handleErrors(G->describeDevice(), [](const JobFailure &F) -> Error {
    return make_error<NoGpuError>(GpuProblem::Driver, F.text());
  });
  if (E)
    return E;
  return G;
}

Error Gpu::initialise(int Ordinal) {
  auto Problem = [&](CUresult Code, const char *Call) {
    GpuProblem Kind = Code == cuda::NoDevice ? GpuProblem::NoDevice : GpuProblem::Driver;
    return make_error<NoGpuError>(Kind, formatv("{0}: {1}", Call, Driver->describe(Code)));
  };
  if (CUresult Code = Driver->Init(0))
    return Problem(Code, "cuInit");
  int Count = 0;
  if (CUresult Code = Driver->DeviceGetCount(&Count))
    return Problem(Code, "cuDeviceGetCount");
  if (Ordinal < 0 || Ordinal >= Count)
    return make_error<NoGpuError>(
        GpuProblem::NoDevice,
        formatv("there is no device {0}; the driver sees {1}, numbered from 0", Ordinal, Count));
  if (CUresult Code = Driver->DeviceGet(&Device, Ordinal))
    return Problem(Code, "cuDeviceGet");
  CUcontext Context = nullptr;
  if (CUresult Code = Driver->DevicePrimaryCtxRetain(&Context, Device))
    return Problem(Code, "cuDevicePrimaryCtxRetain");
  HasContext = true;
  if (CUresult Code = Driver->CtxSetCurrent(Context))
    return Problem(Code, "cuCtxSetCurrent");
  if (CUresult Code = Driver->MemAllocHost(&Staging, StagingBytes))
    return Problem(Code, "cuMemAllocHost");
  return Error::success();
}

Error Gpu::describeDevice() {
  char Name[256] = {};
  size_t Memory = 0;
  Hello &H = Description;
  auto Attribute = [&](cuda::DeviceAttribute Which, int &Out) {
    return check(Driver->DeviceGetAttribute(&Out, Which, Device), "cuDeviceGetAttribute");
  };
  if (Error E = check(Driver->DeviceGetName(Name, sizeof(Name) - 1, Device), "cuDeviceGetName"))
    return E;
  if (Error E = check(Driver->DeviceTotalMem(&Memory, Device), "cuDeviceTotalMem"))
    return E;
  if (Error E = check(Driver->DriverGetVersion(&H.DriverVersion), "cuDriverGetVersion"))
    return E;
  if (Error E = Attribute(cuda::ComputeCapabilityMajor, H.Major))
    return E;
  if (Error E = Attribute(cuda::ComputeCapabilityMinor, H.Minor))
    return E;
  if (Error E = Attribute(cuda::MultiprocessorCount, H.SmCount))
    return E;
  int L2Bytes = 0;
  if (Error E = Attribute(cuda::L2CacheSize, L2Bytes))
    return E;
  H.L2Bytes = std::max(L2Bytes, 0);
  H.HasGpu = true;
  H.Device = Name;
  H.TotalMemory = Memory;
  return Error::success();
}

Expected<int> Gpu::attribute(cuda::DeviceAttribute Which) const {
  int Value = 0;
  if (Error E = check(Driver->DeviceGetAttribute(&Value, Which, Device), "cuDeviceGetAttribute"))
    return E;
  return Value;
}

std::string Gpu::pciBusId() const {
  char Id[64] = {};
  if (!Driver->DeviceGetPCIBusId || Driver->DeviceGetPCIBusId(Id, sizeof(Id), Device) != cuda::Success)
    return "";
  return Id;
}

Gpu::~Gpu() {
  if (Staging)
    Driver->MemFreeHost(Staging);
  if (HasContext)
    Driver->DevicePrimaryCtxRelease(Device);
}

Error Gpu::synchronize() const {
  return check(Driver->StreamSynchronize(nullptr), "cuStreamSynchronize", ResultStatus::Fault);
}

bool Gpu::contextLost() const { return Driver->CtxSynchronize() != cuda::Success; }

Error Gpu::upload(CUdeviceptr To, ArrayRef<uint8_t> Bytes) const {
  return check(Driver->MemcpyHtoD(To, Bytes.data(), Bytes.size()), "cuMemcpyHtoD");
}

Error Gpu::download(CUdeviceptr From, uint64_t Bytes, function_ref<bool(ArrayRef<uint8_t>)> Take) const {
  for (uint64_t At = 0; At < Bytes; At += StagingBytes) {
    uint64_t Chunk = std::min(StagingBytes, Bytes - At);
    if (Error E = check(Driver->MemcpyDtoH(Staging, From + At, Chunk), "cuMemcpyDtoH", ResultStatus::Fault))
      return E;
    if (!Take(ArrayRef(static_cast<const uint8_t *>(Staging), Chunk)))
      break;
  }
  return Error::success();
}

Expected<std::vector<uint8_t>> Gpu::downloadAll(CUdeviceptr From, uint64_t Bytes) const {
  std::vector<uint8_t> All;
  All.reserve(Bytes);
  Error E = download(From, Bytes, [&](ArrayRef<uint8_t> Chunk) {
    All.insert(All.end(), Chunk.begin(), Chunk.end());
    return true;
  });
  if (E)
    return E;
  return All;
}

Error Gpu::set(CUdeviceptr To, uint8_t Pattern, uint64_t Bytes) const {
  return check(Driver->MemsetD8Async(To, Pattern, Bytes, nullptr), "cuMemsetD8Async");
}

Error Gpu::copy(CUdeviceptr To, CUdeviceptr From, uint64_t Bytes) const {
  return check(Driver->MemcpyDtoDAsync(To, From, Bytes, nullptr), "cuMemcpyDtoDAsync");
}

Expected<DeviceMemory> DeviceMemory::allocate(const Gpu &G, uint64_t Bytes) {
  DeviceMemory Memory;
  CUresult Code = cuda::Success;
  do
    Code = G.driver().MemAlloc(&Memory.Address, Bytes);
  while (Code == cuda::OutOfMemory && G.makeRoom());
  std::string What = formatv("cuMemAlloc of {0} bytes for the buffers", Bytes);
  if (Code == cuda::OutOfMemory)
    return make_error<JobFailure>(
        ResultStatus::Memory,
        formatv(
            "{0}: {1}; {2} has {3} bytes in all: take smaller sizes, fewer copies (--rotate) or another GPU",
            What, G.driver().describe(Code), G.description().Device, G.description().TotalMemory));
  if (Error E = G.check(Code, What.c_str()))
    return E;
  Memory.Owner = &G;
  return Memory;
}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&Other) noexcept {
  std::swap(Owner, Other.Owner);
  std::swap(Address, Other.Address);
  return *this;
}

Expected<std::unique_ptr<EventPair>> EventPair::create(const Gpu &G) {
  std::unique_ptr<EventPair> Made(new EventPair(G));
  for (CUevent *Event : {&Made->Start, &Made->Stop})
    if (Error E = G.check(G.driver().EventCreate(Event, 0), "cuEventCreate"))
      return E;
  return Made;
}

EventPair::~EventPair() {
  for (CUevent Event : {Start, Stop})
    if (Event)
      Owner.driver().EventDestroy(Event);
}

Error EventPair::start() const {
  return Owner.check(Owner.driver().EventRecord(Start, nullptr), "cuEventRecord");
}

Error EventPair::stop() const {
  return Owner.check(Owner.driver().EventRecord(Stop, nullptr), "cuEventRecord");
}

Expected<double> EventPair::milliseconds() const {
  const CudaDriver &D = Owner.driver();
  if (Error E = Owner.check(D.EventSynchronize(Stop), "cuEventSynchronize", ResultStatus::Fault))
    return E;
  float Milliseconds = 0;
  if (Error E = Owner.check(D.EventElapsedTime(&Milliseconds, Start, Stop), "cuEventElapsedTime"))
    return E;
  return Milliseconds;
}

DeviceMemory::~DeviceMemory() {
  if (Owner)
    Owner->driver().MemFree(Address);
}

} // namespace gpuprune
