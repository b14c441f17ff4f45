//===- Structures.h - Arrays of structures, in one pass --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for the GPU and for the host. Field by field, all of the memory would be read for each of them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_STRUCTURES_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_STRUCTURES_H

#include "Bodies.h"

namespace gpuprune::kernels {

/// Two arrays of structures without gaps between them, both at multiples of 16.
struct StructuresRule {
  /// A structure of up to 256 bytes repeats after as many pieces; of an odd size, after its size in pieces.
  static constexpr uint32_t MostPieces = 16;
  uint64_t Expected, Got, Bytes;
  uint32_t Period;          ///< Pieces after which the places of fields are the same again.
  Piece Fields[MostPieces]; ///< All bits of fields, none of padding.
};

/// Whether the bytes at \p At are the same, or padding.
[[gnu::always_inline]] inline bool sameInFields(const StructuresRule &C, uint64_t At) {
  const Piece &Fields = C.Fields[At / 16 % C.Period];
  uint64_t Mask = (At % 16 < 8 ? Fields.Low : Fields.High) >> At % 8 * 8 & 0xff;
  return ((pointerTo<const uint8_t>(C.Expected)[At] ^ pointerTo<const uint8_t>(C.Got)[At]) & Mask) == 0;
}

/// Finds the pieces, and the bytes behind the last whole one, that differ; how many is not said exactly. The
/// hash is that of what is expected, padding included, as hash() makes it.
[[gnu::always_inline]] inline void compareStructures(Threads T, const StructuresRule &C, Findings *All) {
  Finder Found;
  PieceHash Own(T, 0);
  uint64_t Pieces = C.Bytes / 16;
  auto IsOdd = [&](uint64_t Index, const Piece(&Loaded)[2]) {
    const auto &[Expected, Got] = Loaded;
    Own.add(Expected);
    const Piece &Fields = C.Fields[static_cast<uint32_t>(Index) % C.Period];
    return (((Expected.Low ^ Got.Low) & Fields.Low) | ((Expected.High ^ Got.High) & Fields.High)) != 0;
  };
  forPieces</*AtOnce=*/2>(T, {pointerTo<const Piece>(C.Expected), pointerTo<const Piece>(C.Got)}, Pieces,
                          IsOdd, [&](uint64_t Index) { Found.wrong(Index); });
  for (uint64_t At = Pieces * 16 + T.Index; At < C.Bytes; At += T.Count)
    if (!sameInFields(C, At))
      Found.wrong(Pieces);
  addFromAll(&All->Hash, Own.sum() + hashRest(T, C.Expected, C.Bytes, Pieces * 16, 0));
  Found.addTo(All);
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_STRUCTURES_H
