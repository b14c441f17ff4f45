//===- LineIO.cpp - Lines over file descriptors ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LineIO.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

std::optional<std::string> LineSplitter::next() {
  size_t End = Pending.find('\n', std::max(Begin, Scanned));
  if (End == std::string::npos) {
    Pending.erase(0, Begin);
    Begin = 0;
    Scanned = Pending.size();
    return std::nullopt;
  }
  std::string Line = Pending.substr(Begin, End - Begin);
  Begin = End + 1;
  if (!Line.empty() && Line.back() == '\r')
    Line.pop_back();
  return Line;
}

void LineSplitter::clear() {
  Pending.clear();
  Begin = Scanned = 0;
}

bool writeAll(int Descriptor, StringRef Bytes) {
  while (!Bytes.empty()) {
    ssize_t Written = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Bytes = Bytes.drop_front(Written);
  }
  return true;
}

} // namespace gpuprune
