//===- DeviceBuffers.cpp - A problem's buffers on the device --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuffers.h"
#include "gpuprune/Runtime/Fill.h"
#include "gpuprune/Support/ContentHash.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// On each side of a buffer: catches a tile of rows written beside a matrix; a
/// multiple of the device's allocation alignment, so that buffers keep theirs.
static constexpr uint64_t GuardBytes = uint64_t(256) << 10;

static std::string hexByte(uint8_t Byte) {
  std::string Text;
  raw_string_ostream(Text) << format_hex(Byte, 4);
  return Text;
}

Expected<std::shared_ptr<DeviceBuffer>> DeviceBuffer::create(const Gpu &G, const Buffer &Shape,
                                                             std::shared_ptr<HostBytes> Initial) {
  std::shared_ptr<DeviceBuffer> B(new DeviceBuffer(G, Shape));
  Expected<DeviceMemory> Memory = DeviceMemory::allocate(G, Shape.bytes() + 2 * GuardBytes);
  if (!Memory)
    return Memory.takeError();
  B->Memory = std::move(*Memory);
  B->Initial = std::move(Initial);
  if (Shape.Role == BufferRole::In)
    if (Error E = G.upload(B->address(), B->Initial->Bytes))
      return E;
  if (Shape.Role == BufferRole::InOut) {
    Expected<DeviceMemory> Pristine = DeviceMemory::allocate(G, Shape.bytes());
    if (!Pristine)
      return Pristine.takeError();
    B->Pristine = std::move(*Pristine);
    if (Error E = G.upload(B->Pristine.address(), B->Initial->Bytes))
      return E;
  }
  return B;
}

CUdeviceptr DeviceBuffer::address() const { return Memory.address() + GuardBytes; }

Error DeviceBuffer::prepare(uint8_t Pattern) const {
  if (Error E = Owner.set(Memory.address(), Pattern, GuardBytes))
    return E;
  if (Error E = Owner.set(address() + Shape.bytes(), Pattern, GuardBytes))
    return E;
  return Shape.Role == BufferRole::Out ? Owner.set(address(), Pattern, Shape.bytes()) : restore();
}

Error DeviceBuffer::restore() const {
  if (Shape.Role != BufferRole::InOut)
    return Error::success();
  return Owner.copy(address(), Pristine.address(), Shape.bytes());
}

/// Index counts from the buffer's end that the guard lies at.
static std::optional<Mismatch> findInGuard(ArrayRef<uint8_t> Guard, uint8_t Pattern, bool Before) {
  bool Uniform = std::memcmp(Guard.data(), Guard.data() + 1, Guard.size() - 1) == 0;
  if (Uniform && Guard[0] == Pattern)
    return std::nullopt;
  Mismatch M;
  for (size_t I = 0; I != Guard.size(); ++I) {
    size_t At = Before ? Guard.size() - 1 - I : I;
    if (Guard[At] == Pattern)
      continue;
    if (M.Differing++ != 0)
      continue;
    M.Index = Before ? I + 1 : I;
    M.Got = hexByte(Guard[At]);
  }
  M.Kind = Before ? MismatchKind::GuardBefore : MismatchKind::GuardAfter;
  M.Expected = M.Pattern = hexByte(Pattern);
  return M;
}

Expected<std::optional<Mismatch>> DeviceBuffer::checkGuards(uint8_t Pattern) const {
  for (bool Before : {true, false}) {
    std::optional<Mismatch> Found;
    CUdeviceptr Guard = Before ? Memory.address() : address() + Shape.bytes();
    Error E = Owner.download(Guard, GuardBytes, [&](ArrayRef<uint8_t> Bytes) {
      Found = findInGuard(Bytes, Pattern, Before);
      return true;
    });
    if (E)
      return E;
    if (!Found)
      continue;
    Found->Buffer = Shape.Name;
    return Found;
  }
  return std::nullopt;
}

Expected<std::optional<Mismatch>> DeviceBuffer::checkUnchanged() const {
  if (Shape.Role == BufferRole::Out || SeenAfter == Owner.launches())
    return std::nullopt;
  Expected<std::optional<Mismatch>> Found =
      checkCopy(Shape.Role == BufferRole::In ? address() : Pristine.address());
  if (Found && !*Found)
    SeenAfter = Owner.launches();
  return Found;
}

Expected<std::optional<Mismatch>> DeviceBuffer::checkCopy(CUdeviceptr At) const {
  OutputComparer Comparer(Shape.Type, Comparison(), Initial->Bytes, {}, FillPatterns[0]);
  Error E = Owner.download(At, Shape.bytes(), [&](ArrayRef<uint8_t> Chunk) {
    Comparer.feed(Chunk);
    return true;
  });
  if (E)
    return E;
  if (Comparer.outcome() == CheckOutcome::Bitwise)
    return std::nullopt;
  Mismatch M = Comparer.mismatch();
  M.Kind = MismatchKind::Input;
  M.Buffer = Shape.Name;
  M.Pattern.clear();
  return M;
}

Error BufferSet::prepare(uint8_t Pattern) const {
  for (const auto &B : Buffers)
    if (Error E = B->prepare(Pattern))
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
  for (const auto &B : Buffers) {
    Expected<std::optional<Mismatch>> Found = B->checkGuards(Pattern);
    if (!Found || *Found)
      return Found;
  }
  return std::nullopt;
}

Expected<std::optional<Mismatch>> BufferSet::checkInputs() const {
  for (const auto &B : Buffers) {
    Expected<std::optional<Mismatch>> Found = B->checkUnchanged();
    if (!Found || *Found)
      return Found;
  }
  return std::nullopt;
}

BufferPool::BufferPool(const Gpu &G, uint64_t HostBudget) : Owner(G), Host(HostBudget), Device(UINT64_MAX) {}

/// The position tells apart buffers of the same contents: they must not share
/// memory, or the caches would see half the traffic.
static std::string bufferKey(const Buffer &B, size_t Position, uint32_t Copy) {
  return formatv("{0} {1} {2}", Copy, Position, toJSON(B));
}

Expected<std::shared_ptr<HostBytes>> BufferPool::initialContents(const Buffer &B) {
  Buffer Nameless = B;
  Nameless.Name.clear();
  Nameless.Symbol.clear();
  Nameless.Role = BufferRole::In;
  std::string Key = formatv("{0}", toJSON(Nameless));
  std::shared_ptr<HostBytes> Known = Host.find(Key);
  // A GPU that shares the host's memory may write here, too.
  if (Known && contentHash(Known->Bytes) == Known->Hash)
    return Known;
  auto Made = std::make_shared<HostBytes>(HostBytes{std::vector<uint8_t>(B.bytes())});
  if (Error E = fillBuffer(B.Type, B.Contents, Made->Bytes))
    return make_error<JobFailure>(ResultStatus::Error, "buffer " + B.Name + ": " + toString(std::move(E)));
  Made->Hash = contentHash(Made->Bytes);
  Host.insert(Key, Made, Made->Bytes.size());
  return Made;
}

Expected<std::shared_ptr<DeviceBuffer>> BufferPool::acquireOne(const Buffer &B, const std::string &Key) {
  if (std::shared_ptr<DeviceBuffer> Known = Device.find(Key))
    return Known;
  std::shared_ptr<HostBytes> Initial;
  if (B.Role != BufferRole::Out) {
    Expected<std::shared_ptr<HostBytes>> Contents = initialContents(B);
    if (!Contents)
      return Contents.takeError();
    Initial = std::move(*Contents);
  }
  while (true) {
    Expected<std::shared_ptr<DeviceBuffer>> Made = DeviceBuffer::create(Owner, B, Initial);
    if (Made) {
      Device.insert(Key, *Made, B.bytes());
      return Made;
    }
    bool Retry = false;
    Error E = handleErrors(Made.takeError(), [&](std::unique_ptr<JobFailure> F) -> Error {
      Retry = F->status() == ResultStatus::Memory && Device.evictOne();
      return Retry ? Error::success() : Error(std::move(F));
    });
    if (!Retry)
      return E;
  }
}

Expected<BufferSet> BufferPool::acquireAll(const Problem &P, uint32_t Copy) {
  std::vector<std::shared_ptr<DeviceBuffer>> Buffers;
  for (const auto &[Position, B] : enumerate(P.Buffers)) {
    Expected<std::shared_ptr<DeviceBuffer>> One = acquireOne(B, bufferKey(B, Position, Copy));
    if (!One)
      return One.takeError();
    Buffers.push_back(std::move(*One));
  }
  return BufferSet(std::move(Buffers));
}

Expected<BufferSet> BufferPool::acquire(const Problem &P, uint32_t Copy) {
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
