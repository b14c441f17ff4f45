//===- Contents.h - What memory has to hold -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents follow from a rule and the index, so that nothing is kept to compare them with. Where the driver
// does not take the runner's own kernels, the host does their work, chunk by chunk.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CONTENTS_H
#define GPUPRUNE_LIB_RUNTIME_CONTENTS_H

#include "DeviceKernels.h"
#include <optional>

namespace gpuprune {

/// Memory that holds the initial contents of a buffer.
struct BufferContents {
  CUdeviceptr At;
  const protocol::Buffer *Shape;
};

/// Enqueues, or does, writing them. Error: status error for a fill that is not possible.
llvm::Error writeContents(const Gpu &G, const DeviceKernels &Kernels, const BufferContents &C);

/// Whether writeContents() only writes, where a copy would have to read as much besides.
bool isMadeFasterThanCopied(const DeviceKernels &Kernels, const protocol::Buffer &Shape);

/// The first of \p All that does not hold them any more, as kind Input.
llvm::Expected<std::optional<protocol::Mismatch>>
findChangedContents(const Gpu &G, const DeviceKernels &Kernels, llvm::ArrayRef<BufferContents> All);

/// Memory beside a buffer, each byte of which holds a pattern.
struct GuardZone {
  CUdeviceptr At;
  uint64_t Bytes;
  bool IsBefore; ///< The buffer lies behind it.
  const protocol::Buffer *Beside;
};

/// That each of \p All holds the pattern.
std::vector<kernels::FillCheck> guardChecks(llvm::ArrayRef<GuardZone> All, uint8_t Pattern);
/// The first of \p All that something was written to, by what guardChecks() found.
llvm::Expected<std::optional<protocol::Mismatch>> firstHit(const Gpu &G, llvm::ArrayRef<GuardZone> All,
                                                           llvm::ArrayRef<kernels::Findings> Found,
                                                           uint8_t Pattern);
/// The first of \p All that something was written to.
llvm::Expected<std::optional<protocol::Mismatch>>
findHitGuard(const Gpu &G, const DeviceKernels &Kernels, llvm::ArrayRef<GuardZone> All, uint8_t Pattern);

/// The bits of one element at \p At.
llvm::Expected<uint64_t> fetchElement(const Gpu &G, CUdeviceptr At, ElementType Type);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CONTENTS_H
