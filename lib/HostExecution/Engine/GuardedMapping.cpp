//===- GuardedMapping.cpp - Pages between zones that nothing may touch ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GuardedMapping.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace gpuprune {

/// An index of 32 bits times 4 bytes does not leave such a zone.
static constexpr size_t LargestGuard = size_t(8) << 30;
static constexpr size_t SmallestGuard = size_t(64) << 10;

static Error mappingError(uint64_t Bytes) {
  return makeError(ErrorKind::Io, formatv("cannot map {0} bytes: {1}", Bytes, std::strerror(errno)));
}

Expected<GuardedMapping> GuardedMapping::create(uint64_t Bytes, bool Closed) {
  size_t Page = sys::Process::getPageSizeEstimate();
  if (Bytes > LargestGuard << 8) {
    errno = ENOMEM;
    return mappingError(Bytes);
  }
  size_t PageBytes = alignTo(std::max<uint64_t>(Bytes, 1), Page);
  GuardedMapping Result;
  for (size_t Guard = LargestGuard; Guard >= SmallestGuard; Guard /= 8) {
    void *Reserve =
        mmap(nullptr, PageBytes + 2 * Guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Reserve == MAP_FAILED)
      continue;
    Result.Reserve = static_cast<char *>(Reserve);
    Result.ReserveBytes = PageBytes + 2 * Guard;
    Result.Guard = Guard;
    break;
  }
  if (!Result.Reserve || !(Closed || Result.open(Result.pages().begin(), Result.pages().end())))
    return mappingError(PageBytes);
  return std::move(Result);
}

bool GuardedMapping::open(char *Begin, char *End) {
  return mprotect(Begin, End - Begin, PROT_READ | PROT_WRITE) == 0;
}

void GuardedMapping::close() {
  MutableArrayRef<char> Pages = pages();
  mprotect(Pages.data(), Pages.size(), PROT_NONE);
  madvise(Pages.data(), Pages.size(), MADV_DONTNEED);
}

GuardedMapping::~GuardedMapping() {
  if (Reserve)
    munmap(Reserve, ReserveBytes);
}

} // namespace gpuprune
