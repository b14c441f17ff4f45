//===- Contents.cpp - What memory has to hold -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Contents.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Runtime/Fill.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// Of contents that the host makes, in bytes.
static constexpr uint64_t ChunkBytes = uint64_t(16) << 20;

Expected<uint64_t> fetchElement(const Gpu &G, CUdeviceptr At, ElementType Type) {
  uint64_t Bits = 0;
  if (Error E =
          G.check(G.driver().MemcpyDtoH(&Bits, At, elementBytes(Type)), "cuMemcpyDtoH", ResultStatus::Fault))
    return E;
  return Bits;
}

static Error writeFromHost(const Gpu &G, const BufferContents &C) {
  std::vector<uint8_t> Chunk;
  for (uint64_t At = 0, All = C.Shape->bytes(); At < All; At += ChunkBytes) {
    Chunk.resize(std::min(ChunkBytes, All - At));
    fillPart(C.Shape->Type, C.Shape->Contents, At, Chunk);
    if (Error E = G.upload(C.At + At, Chunk))
      return E;
  }
  return Error::success();
}

Error writeContents(const Gpu &G, const DeviceKernels &Kernels, const BufferContents &C) {
  const Buffer &B = *C.Shape;
  if (Error E = validateFill(B.Type, B.Contents))
    return make_error<JobFailure>(ResultStatus::Error, "buffer " + B.Name + ": " + toString(std::move(E)));
  if (Error E = checkStored(B.Type, B.Contents, B.Count))
    return make_error<JobFailure>(ResultStatus::Error, "buffer " + B.Name + ": " + toString(std::move(E)));
  if (!Kernels.areLoaded() || B.Contents.isStored())
    return writeFromHost(G, C);
  if (B.Type.isStructure())
    if (Error E = G.set(C.At, 0, B.bytes())) // Padding is zero.
      return E;
  for (const auto &[Index, Field] : enumerate(B.Type.fields()))
    if (Error E = Kernels.fill(elementsAt(C.At, B.Type, Index, B.Count),
                               fillRule(Field.Type, B.Contents.ofField(Index))))
      return E;
  return Error::success();
}

bool isMadeFasterThanCopied(const DeviceKernels &Kernels, const Buffer &Shape) {
  std::optional<ElementType> Scalar = Shape.Type.scalar();
  if (!Kernels.areLoaded() || !Scalar || Shape.Contents.isStored())
    return false;
  // At the address 0, which is a multiple of all that buffers begin at.
  return kernels::isFilledInPieces(elementsAt(0, *Scalar, Shape.Count), fillRule(*Scalar, Shape.Contents));
}

static Mismatch changed(const Buffer &B, uint64_t Index, size_t FieldIndex, uint64_t Got,
                        uint64_t Differing) {
  const ElementField &Field = B.Type.fields()[FieldIndex];
  std::vector<uint8_t> Held(B.Type.bytes());
  fillPart(B.Type, B.Contents, Index * B.Type.bytes(), Held);
  Mismatch M;
  M.Kind = MismatchKind::Input;
  M.Buffer = B.Name;
  M.Index = Index;
  M.Field = Field.Name;
  M.Expected = describeElement(Field.Type, loadElement(Field.Type, &Held[Field.Offset]));
  M.Got = describeElement(Field.Type, Got);
  M.Differing = Differing;
  return M;
}

static Expected<std::optional<Mismatch>> compareOnHost(const Gpu &G, const BufferContents &C) {
  const Buffer &B = *C.Shape;
  std::optional<Mismatch> Found;
  std::vector<uint8_t> Held;
  uint64_t At = 0;
  Error E = G.download(C.At, B.bytes(), [&](ArrayRef<uint8_t> Chunk) {
    Held.resize(Chunk.size());
    fillPart(B.Type, B.Contents, At, Held);
    auto Look = [&](uint64_t Offset, size_t Field) {
      ElementType Type = B.Type.fields()[Field].Type;
      size_t I = Offset - At;
      if (std::memcmp(&Held[I], &Chunk[I], elementBytes(Type)) == 0)
        return;
      if (Found)
        ++Found->Differing;
      else
        Found = changed(B, Offset / B.Type.bytes(), Field, loadElement(Type, &Chunk[I]), 1);
    };
    if (std::memcmp(Held.data(), Chunk.data(), Chunk.size()) != 0)
      forEachField(B.Type, At, At + Chunk.size(), Look);
    At += Chunk.size();
    return true;
  });
  if (E)
    return E;
  return Found;
}

/// The first field of \p C that \p Found, one for each field, has of its elements.
static Expected<std::optional<Mismatch>> firstChanged(const Gpu &G, const BufferContents &C,
                                                      ArrayRef<kernels::Findings> Found) {
  const kernels::Findings *First = nullptr;
  uint64_t Differing = 0;
  for (const kernels::Findings &F : Found) {
    Differing += F.Wrong;
    if (F.Wrong != 0 && (!First || ~F.FirstWrong < ~First->FirstWrong))
      First = &F;
  }
  if (!First)
    return std::nullopt;
  uint64_t Index = ~First->FirstWrong;
  size_t FieldIndex = First - Found.begin();
  const ElementField &Field = C.Shape->Type.fields()[FieldIndex];
  Expected<uint64_t> Got = fetchElement(G, C.At + Index * C.Shape->Type.bytes() + Field.Offset, Field.Type);
  if (!Got)
    return Got.takeError();
  return changed(*C.Shape, Index, FieldIndex, *Got, Differing);
}

Expected<std::optional<Mismatch>> findChangedContents(const Gpu &G, const DeviceKernels &Kernels,
                                                      ArrayRef<BufferContents> All) {
  std::vector<BufferContents> OnDevice;
  std::vector<kernels::FillCheck> Checks;
  for (const BufferContents &C : All) {
    // A symbol may be of smaller elements than the buffer that it holds.
    const ElementLayout &Type = C.Shape->Type;
    if (Kernels.areLoaded() && !C.Shape->Contents.isStored() && C.At % Type.alignment() == 0) {
      OnDevice.push_back(C);
      for (const auto &[Index, Field] : enumerate(Type.fields()))
        Checks.push_back({elementsAt(C.At, Type, Index, C.Shape->Count),
                          fillRule(Field.Type, C.Shape->Contents.ofField(Index))});
      continue;
    }
    Expected<std::optional<Mismatch>> Found = compareOnHost(G, C);
    if (!Found || *Found)
      return Found;
  }
  Expected<std::vector<kernels::Findings>> Found = Kernels.checkFills(Checks);
  if (!Found)
    return Found.takeError();
  ArrayRef<kernels::Findings> Rest = *Found;
  for (const BufferContents &C : OnDevice) {
    size_t Fields = C.Shape->Type.fields().size();
    Expected<std::optional<Mismatch>> First = firstChanged(G, C, Rest.take_front(Fields));
    if (!First || *First)
      return First;
    Rest = Rest.drop_front(Fields);
  }
  return std::nullopt;
}

/// \p At is the byte of the zone that is nearest to the buffer.
static Mismatch hit(const GuardZone &Z, uint64_t At, uint8_t Got, uint64_t Differing, uint8_t Pattern) {
  Mismatch M;
  M.Kind = Z.IsBefore ? MismatchKind::GuardBefore : MismatchKind::GuardAfter;
  M.Buffer = Z.Beside->Name;
  M.Index = Z.IsBefore ? Z.Bytes - At : At;
  M.Expected = M.Pattern = patternText(Pattern);
  M.Got = patternText(Got);
  M.Differing = Differing;
  return M;
}

static std::optional<Mismatch> findOnHost(const GuardZone &Z, ArrayRef<uint8_t> Bytes, uint8_t Pattern) {
  uint64_t Differing = 0, Nearest = 0;
  for (uint64_t I = 0; I != Bytes.size(); ++I) {
    if (Bytes[I] == Pattern)
      continue;
    Nearest = Z.IsBefore || Differing == 0 ? I : Nearest;
    ++Differing;
  }
  if (Differing == 0)
    return std::nullopt;
  return hit(Z, Nearest, Bytes[Nearest], Differing, Pattern);
}

static Expected<std::optional<Mismatch>> findHitGuardOnHost(const Gpu &G, ArrayRef<GuardZone> All,
                                                            uint8_t Pattern) {
  for (const GuardZone &Z : All) {
    Expected<std::vector<uint8_t>> Bytes = G.downloadAll(Z.At, Z.Bytes);
    if (!Bytes)
      return Bytes.takeError();
    if (std::optional<Mismatch> Found = findOnHost(Z, *Bytes, Pattern))
      return Found;
  }
  return std::nullopt;
}

Expected<std::optional<Mismatch>> findHitGuard(const Gpu &G, const DeviceKernels &Kernels,
                                               ArrayRef<GuardZone> All, uint8_t Pattern) {
  if (!Kernels.areLoaded())
    return findHitGuardOnHost(G, All, Pattern);
  Expected<std::vector<kernels::Findings>> Found = Kernels.checkFills(guardChecks(All, Pattern));
  if (!Found)
    return Found.takeError();
  return firstHit(G, All, *Found, Pattern);
}

std::vector<kernels::FillCheck> guardChecks(ArrayRef<GuardZone> All, uint8_t Pattern) {
  std::vector<kernels::FillCheck> Checks;
  for (const GuardZone &Z : All)
    Checks.push_back(bytesOf(Z.At, Z.Bytes, Pattern));
  return Checks;
}

Expected<std::optional<Mismatch>> firstHit(const Gpu &G, ArrayRef<GuardZone> All,
                                           ArrayRef<kernels::Findings> Found, uint8_t Pattern) {
  for (const auto &[Z, F] : zip_equal(All, Found)) {
    if (F.Wrong == 0)
      continue;
    uint64_t At = Z.IsBefore ? F.LastWrong - 1 : ~F.FirstWrong;
    Expected<uint64_t> Got = fetchElement(G, Z.At + At, ElementType::U8);
    if (!Got)
      return Got.takeError();
    return hit(Z, At, static_cast<uint8_t>(*Got), F.Wrong, Pattern);
  }
  return std::nullopt;
}

} // namespace gpuprune
