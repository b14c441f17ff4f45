//===- WorkerCache.cpp - Workers that wait for the next launch -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkerCache.h"
#include "llvm/Support/Threading.h"
#include <mutex>

using namespace llvm;

namespace gpuprune {

namespace {
struct Cache {
  std::mutex Access;
  std::vector<std::unique_ptr<Worker>> Free;
};
} // namespace

static Cache &cache() {
  static Cache &Shared = *new Cache; // Launches may end after static objects have.
  return Shared;
}

BorrowedWorker::BorrowedWorker() {
  {
    std::lock_guard<std::mutex> Lock(cache().Access);
    if (!cache().Free.empty()) {
      Held = std::move(cache().Free.back());
      cache().Free.pop_back();
    }
  }
  if (!Held)
    Held = std::make_unique<Worker>();
}

BorrowedWorker::~BorrowedWorker() {
  if (!Held)
    return;
  std::lock_guard<std::mutex> Lock(cache().Access);
  if (cache().Free.size() < hardware_concurrency().compute_thread_count())
    cache().Free.push_back(std::move(Held));
}

} // namespace gpuprune
