//===- IdleWait.h - Waits for a context, but not for ever ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_IDLEWAIT_H
#define GPUPRUNE_LIB_RECORD_IDLEWAIT_H

#include "RecordDriver.h"
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gpuprune {

/// Asks the driver, in a thread of its own, to wait until a context has nothing left to do: that call has no
/// time limit, and a kernel may wait for what the program does next. Never destroyed.
class IdleWait {
public:
  explicit IdleWait(const RecordDriver &Driver) : Driver(Driver) {}

  enum class Outcome { Idle, Failed, TimeLimit };
  /// One thread at a time calls it. \p Code is the driver's where it failed.
  Outcome wait(CUcontext Context, std::chrono::duration<double> Limit, CUresult &Code);

private:
  static void *run(void *Self);
  void serve();

  const RecordDriver &Driver;
  std::mutex Lock;
  std::condition_variable Changed;
  bool Started = false, Asked = false;
  CUcontext Context = nullptr;
  CUresult Result = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_IDLEWAIT_H
