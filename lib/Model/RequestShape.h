//===- RequestShape.h - What a request costs, wherever it lies --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_MODEL_REQUESTSHAPE_H
#define GPUPRUNE_LIB_MODEL_REQUESTSHAPE_H

#include "gpuprune/Model/BlockRequests.h"

namespace gpuprune {

/// Requests whose addresses differ by a multiple of a line have one shape: the same costs, and sectors that
/// differ by the same. Most requests of an instruction do, so the last shape of each is kept.
class RequestShape {
public:
  /// Makes this the shape of \p Request; nothing to do where it is.
  void fit(const BlockRequest &Request);

  unsigned lanes() const { return unsigned(Accesses.size()); }
  unsigned Wavefronts = 0; ///< Of shared memory, and then nothing else; of constants, one an address.
  unsigned Lines = 0;
  unsigned SameWord = 0; ///< Of an atomic operation.
  /// Of 32 bytes, as numbers, of the request that was fitted last.
  llvm::ArrayRef<uint64_t> sectors() const { return Sectors; }

private:
  uint32_t Lanes = 0, Bytes = 0;
  std::array<uint64_t, LanesOfWarp> Addresses{}; ///< Of the lanes that take part, of the last request.
  llvm::SmallVector<LaneAccess, LanesOfWarp> Accesses;
  llvm::SmallVector<uint64_t, 64> Sectors;

  bool moveTo(const BlockRequest &Request);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_MODEL_REQUESTSHAPE_H
