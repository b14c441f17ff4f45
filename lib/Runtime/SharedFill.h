//===- SharedFill.h - Nothing of earlier kernels in shared memory ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_SHAREDFILL_H
#define GPUPRUNE_LIB_RUNTIME_SHAREDFILL_H

#include "Gpu.h"
#include <array>

namespace gpuprune {

/// The bytes that shared memory holds before the first and the second run of a check. As numbers of every
/// floating-point type they are finite and large, of either sign, so that neither a sum nor a minimum or a
/// maximum swallows them both.
inline constexpr std::array<uint8_t, 2> SharedPatterns = {0x77, 0xF7};

/// Writes over the shared memory of all multiprocessors with a kernel of its own: a program that reads what
/// it has not written is right by chance where the kernel before it was one like it.
class SharedFill {
public:
  explicit SharedFill(const Gpu &G);
  ~SharedFill();
  SharedFill(const SharedFill &) = delete;
  SharedFill &operator=(const SharedFill &) = delete;

  /// Why the driver does not let it; empty: it does.
  const std::string &problem() const { return Problem; }
  /// Enqueues the kernel; nothing where there is a problem.
  llvm::Error fill(uint8_t Pattern) const;

private:
  llvm::Error load();

  const Gpu &Owner;
  CUmodule Module = nullptr;
  CUfunction Kernel = nullptr;
  int Bytes = 0; ///< That a block may have.
  std::string Problem;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_SHAREDFILL_H
