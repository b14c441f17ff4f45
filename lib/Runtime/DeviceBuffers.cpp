//===- DeviceBuffers.cpp - A problem's buffers on the device --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// On each side of a buffer: catches a tile of rows written beside a matrix; a
/// multiple of the device's allocation alignment, so that buffers keep theirs.
static constexpr uint64_t GuardBytes = uint64_t(256) << 10;

Error DeviceBuffer::allocate() {
  if (Shape.Address) {
    Begin = *Shape.Address;
    Guards = Place->roomAround(Begin, GuardBytes);
    return Error::success();
  }
  if (Error E = DeviceMemory::allocate(Owner, Shape.bytes() + 2 * GuardBytes).moveInto(Memory))
    return E;
  Begin = Memory.address() + GuardBytes;
  Guards = {GuardBytes, GuardBytes};
  return Error::success();
}

Expected<std::shared_ptr<DeviceBuffer>> DeviceBuffer::create(const Gpu &G, const DeviceKernels &Kernels,
                                                             const Buffer &Shape,
                                                             std::shared_ptr<const PlacedMemory> Place) {
  std::shared_ptr<DeviceBuffer> B(new DeviceBuffer(G, Kernels, Shape));
  if (Shape.Address)
    B->Place = std::move(Place);
  if (Error E = B->allocate())
    return E;
  if (Shape.Role == BufferRole::InOut && !isMadeFasterThanCopied(Kernels, Shape)) {
    Expected<DeviceMemory> Pristine = DeviceMemory::allocate(G, Shape.bytes());
    if (!Pristine)
      return Pristine.takeError();
    B->Pristine = std::move(*Pristine);
  }
  if (std::optional<BufferContents> Contents = B->contents())
    if (Error E = writeContents(G, Kernels, *Contents))
      return E;
  return B;
}

std::optional<BufferContents> DeviceBuffer::contents() const {
  CUdeviceptr At = Shape.Role == BufferRole::In ? address() : Pristine.address();
  return At == 0 ? std::nullopt : std::optional(BufferContents{At, &Shape});
}

std::optional<BufferContents> DeviceBuffer::contentsToCheck() const {
  return SeenAfter == Owner.launches() ? std::nullopt : contents();
}

Error DeviceBuffer::prepare(uint8_t Pattern) const {
  return Shape.Role == BufferRole::Out ? Owner.set(address(), Pattern, Shape.bytes()) : restore();
}

Error DeviceBuffer::restore() const {
  if (Shape.Role != BufferRole::InOut)
    return Error::success();
  if (Pristine.address() == 0)
    return writeContents(Owner, Kernels, {address(), &Shape});
  return Owner.copy(address(), Pristine.address(), Shape.bytes());
}

void DeviceBuffer::addGuards(std::vector<GuardZone> &All) const {
  if (Guards.Before)
    All.push_back({Begin - Guards.Before, Guards.Before, /*IsBefore=*/true, &Shape});
  if (Guards.After)
    All.push_back({Begin + Shape.bytes(), Guards.After, /*IsBefore=*/false, &Shape});
}

Error BufferSet::prepare(uint8_t Pattern) const {
  if (Error E = prepareGuards(Pattern))
    return E;
  for (const auto &B : Buffers)
    if (Error E = B->prepare(Pattern))
      return E;
  return Error::success();
}

Error BufferSet::prepareGuards(uint8_t Pattern) const {
  std::vector<kernels::Zone> All;
  for (const GuardZone &Z : guards())
    All.push_back({Z.At, Z.Bytes, Pattern});
  if (Kernels->areLoaded())
    return Kernels->fillZones(All);
  for (const kernels::Zone &Z : All)
    if (Error E = Owner->set(Z.Address, Pattern, Z.Bytes))
      return E;
  return Error::success();
}

Error BufferSet::restore() const {
  for (const auto &B : Buffers)
    if (Error E = B->restore())
      return E;
  return Error::success();
}

Expected<std::optional<Mismatch>> BufferSet::checkGuards(uint8_t Pattern) const {
  TimeTraceScope Scope("check guards");
  return findHitGuard(*Owner, *Kernels, guards(), Pattern);
}

std::vector<GuardZone> BufferSet::guards() const {
  std::vector<GuardZone> Zones;
  for (const auto &B : Buffers)
    B->addGuards(Zones);
  return Zones;
}

Expected<std::vector<uint64_t>> BufferSet::hash(ArrayRef<Stale> Buffers) const {
  std::vector<kernels::Range> Ranges;
  for (const auto &[B, Contents] : Buffers)
    Ranges.push_back({Contents.At, Contents.Shape->bytes(), 0});
  return Kernels->hash(Ranges);
}

/// Those of \p Buffers whose hash is known and the same.
Error BufferSet::dropUnchanged(std::vector<Stale> &Buffers) const {
  std::vector<Stale> Known, Rest;
  for (const Stale &S : Buffers)
    (S.first->contentsHash() ? Known : Rest).push_back(S);
  Expected<std::vector<uint64_t>> Now = hash(Known);
  if (!Now)
    return Now.takeError();
  for (const auto &[S, Hash] : zip_equal(Known, *Now))
    if (Hash != S.first->contentsHash())
      Rest.push_back(S);
  Buffers = std::move(Rest);
  return Error::success();
}

/// Nothing ran since \p Buffers were seen to hold what they should.
Error BufferSet::noteHashes(ArrayRef<Stale> Buffers) const {
  Expected<std::vector<uint64_t>> Now = hash(Buffers);
  if (!Now)
    return Now.takeError();
  for (const auto &[S, Hash] : zip_equal(Buffers, *Now))
    S.first->noteContentsHash(Hash);
  return Error::success();
}

Expected<std::optional<Mismatch>> BufferSet::checkInputs() const {
  TimeTraceScope Scope("check inputs");
  std::vector<Stale> Doubtful;
  for (const auto &B : Buffers)
    if (std::optional<BufferContents> Contents = B->contentsToCheck())
      Doubtful.emplace_back(B.get(), *Contents);
  if (Kernels->areLoaded())
    if (Error E = dropUnchanged(Doubtful))
      return E;
  std::vector<BufferContents> All;
  for (const auto &[B, Contents] : Doubtful)
    All.push_back(Contents);
  Expected<std::optional<Mismatch>> Found = findChangedContents(*Owner, *Kernels, All);
  if (!Found || *Found)
    return Found;
  if (Kernels->areLoaded())
    if (Error E = noteHashes(Doubtful))
      return E;
  for (const auto &B : Buffers)
    B->noteUnchanged();
  return Found;
}

/// The position tells apart buffers of the same contents: they must not share
/// memory, or the caches would see half the traffic.
static std::string bufferKey(const Buffer &B, size_t Position, uint32_t Copy) {
  return formatv("{0} {1} {2}", Copy, Position, toJSON(B));
}

/// Reads the file of \p Of, which may lie on another machine than when its hash was taken.
Error BufferPool::readFile(Fill &Of, StringRef Buffer) {
  std::weak_ptr<const DataFile> &Known = Files[Of.Hash];
  Of.Data = Known.lock();
  if (Of.Data)
    return Error::success();
  auto Failed = [&](const Twine &Why) {
    return make_error<JobFailure>(ResultStatus::Error, ("buffer " + Buffer + ": " + Why).str());
  };
  Expected<DataFile> Read = readDataFile(Locate(Of.File));
  if (!Read)
    return Failed(toString(Read.takeError()));
  if (Read->Hash != Of.Hash)
    return Failed("the file " + Read->Path +
                  " is not what it was when the job was made; make the job, or the "
                  "bundle, anew");
  Of.Data = std::make_shared<const DataFile>(std::move(*Read));
  Known = Of.Data;
  return Error::success();
}

Expected<std::shared_ptr<DeviceBuffer>> BufferPool::acquireOne(const Buffer &B, const std::string &Key) {
  if (std::shared_ptr<DeviceBuffer> Known = Device.find(Key))
    return Known;
  Buffer WithFiles = B;
  Error Unread = Error::success();
  if (B.Role != BufferRole::Out)
    WithFiles.Contents.forEachFile([&](Fill &Of) {
      if (!Unread)
        Unread = readFile(Of, B.Name);
    });
  if (Unread)
    return Unread;
  Expected<std::shared_ptr<DeviceBuffer>> Made = DeviceBuffer::create(Owner, Kernels, WithFiles, Placed);
  if (Made)
    Device.insert(Key, *Made, B.bytes());
  return Made;
}

/// Where buffers of \p P have addresses, ascending.
static std::vector<AddressRange> placesIn(const Problem &P) {
  std::vector<AddressRange> Ranges;
  for (const Buffer &B : P.Buffers)
    if (B.Address)
      Ranges.push_back({*B.Address, B.bytes()});
  sort(Ranges, [](const AddressRange &A, const AddressRange &B) { return A.Begin < B.Begin; });
  return Ranges;
}

/// Lets Placed have the memory for those buffers.
Error BufferPool::place(const Problem &P) {
  std::vector<AddressRange> Ranges = placesIn(P);
  if (Ranges.empty() || (Placed && Placed->ranges() == ArrayRef(Ranges)))
    return Error::success();
  // Of this place, and any that may lie where the next one is to be.
  while (Device.evictOne())
    ;
  if (Placed.use_count() > 1)
    return make_error<JobFailure>(ResultStatus::Error,
                                  "a job with buffers at given addresses takes one problem at a time");
  Placed.reset();
  return PlacedMemory::create(Owner, std::move(Ranges)).moveInto(Placed);
}

bool BufferPool::evictOne() {
  if (Device.evictOne())
    return true;
  if (Placed.use_count() != 1)
    return false;
  Placed.reset();
  return true;
}

Expected<BufferSet> BufferPool::acquireAll(const Problem &P, uint32_t Copy) {
  if (Error E = place(P))
    return E;
  std::shared_ptr<const PlacedMemory> InUse = Placed; // Other buffers may need room.
  std::vector<std::shared_ptr<DeviceBuffer>> Buffers;
  for (const auto &[Position, B] : enumerate(P.Buffers)) {
    Expected<std::shared_ptr<DeviceBuffer>> One = acquireOne(B, bufferKey(B, Position, Copy));
    if (!One)
      return One.takeError();
    Buffers.push_back(std::move(*One));
  }
  return BufferSet(Owner, Kernels, std::move(Buffers));
}

Expected<BufferSet> BufferPool::acquire(const Problem &P, uint32_t Copy) {
  TimeTraceScope Scope("acquire buffers");
  std::optional<Mismatch> Last;
  for (int Attempt = 0; Attempt != 2; ++Attempt) {
    Expected<BufferSet> Set = acquireAll(P, Copy);
    if (!Set)
      return Set;
    Expected<std::optional<Mismatch>> Spoiled = Set->checkInputs();
    if (!Spoiled)
      return Spoiled.takeError();
    if (!*Spoiled)
      return Set;
    Last = std::move(*Spoiled);
    forgetContents();
  }
  return make_error<JobFailure>(ResultStatus::Error,
                                "the device does not keep what is written to it: " + describe(*Last));
}

} // namespace gpuprune
