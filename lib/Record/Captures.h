//===- Captures.h - Stream captures that are under way -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_CAPTURES_H
#define GPUPRUNE_LIB_RECORD_CAPTURES_H

#include "CudaTypes.h"
#include <mutex>
#include <set>

namespace gpuprune {

/// All of the process: a copy, or waiting for the GPU, in any thread can break a capture in another one.
/// Where the end of a capture is not seen, it counts as under way.
class Captures {
public:
  void begin(CUstream Stream) {
    std::lock_guard<std::mutex> Held(Lock);
    Streams.insert(Stream);
  }
  /// Also for a capture that did not begin after all.
  void end(CUstream Stream) {
    std::lock_guard<std::mutex> Held(Lock);
    if (auto At = Streams.find(Stream); At != Streams.end())
      Streams.erase(At);
  }
  void destroyed(CUstream Stream) {
    std::lock_guard<std::mutex> Held(Lock);
    Streams.erase(Stream);
  }
  bool any() {
    std::lock_guard<std::mutex> Held(Lock);
    return !Streams.empty();
  }

private:
  std::mutex Lock;
  std::multiset<CUstream> Streams;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_CAPTURES_H
