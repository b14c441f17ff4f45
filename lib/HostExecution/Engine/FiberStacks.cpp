//===- FiberStacks.cpp - Stacks of CUDA threads --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FiberStacks.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace gpuprune {

/// Room for the runtime's own functions and for the different starts of stacks.
static constexpr size_t SmallestStack = size_t(128) << 10;

size_t stackBytesFor(uint64_t FrameBytes) { return PowerOf2Ceil(SmallestStack + FrameBytes); }

void FiberStacks::release() {
  if (Reserve)
    munmap(Reserve, ReserveBytes);
  Reserve = nullptr;
  Count = 0;
}

static Error stackError(unsigned Count, size_t Bytes) {
  return makeError(ErrorKind::Io,
                   formatv("cannot map {0} stacks of {1} bytes: {2}", Count, Bytes, std::strerror(errno)));
}

Error FiberStacks::ensure(unsigned Needed, size_t Bytes) {
  if (Needed <= Count && Bytes == StackBytes)
    return Error::success();
  release();
  ReserveBytes = Bytes * (Needed + 1);
  void *Mapped =
      mmap(nullptr, ReserveBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapped == MAP_FAILED)
    return stackError(Needed, Bytes);
  Reserve = Mapped;
  First = static_cast<char *>(Mapped) + offsetToAlignment(reinterpret_cast<uintptr_t>(Mapped), Align(Bytes));
  StackBytes = Bytes;
  size_t Page = sys::Process::getPageSizeEstimate();
  for (unsigned I = 0; I < Needed; ++I)
    if (mprotect(begin(I), Page, PROT_NONE)) {
      Error E = stackError(Needed, Bytes);
      release();
      return E;
    }
  Count = Needed;
  return Error::success();
}

int FiberStacks::guardAt(const void *Address) const {
  if (!contains(Address))
    return -1;
  size_t Offset = static_cast<const char *>(Address) - First;
  return Offset % StackBytes < sys::Process::getPageSizeEstimate() ? int(Offset / StackBytes) : -1;
}

} // namespace gpuprune
