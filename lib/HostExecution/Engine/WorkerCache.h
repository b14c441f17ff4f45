//===- WorkerCache.h - Workers that wait for the next launch -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_WORKERCACHE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_WORKERCACHE_H

#include "Worker.h"
#include <memory>

namespace gpuprune {

/// A worker whose stacks and shared memory may have served another launch: the
/// memory they have touched need not be mapped again. Goes back when it ends.
class BorrowedWorker {
public:
  BorrowedWorker();
  ~BorrowedWorker();
  BorrowedWorker(BorrowedWorker &&) = default;
  Worker &operator*() { return *Held; }
  Worker *operator->() { return Held.get(); }

private:
  std::unique_ptr<Worker> Held;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_WORKERCACHE_H
