//===- DeviceRuntime.cpp - What generated code calls ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceRuntime.h"
#include "ThreadContext.h"
#include "Worker.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>

using namespace llvm;
using namespace gpuprune;

extern "C" {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) Result Name Parameters;
#include "DeviceRuntime.def"
}

static Worker &workerOf(ThreadContext *Thread) { return *Thread->Block->Owner; }

void gpuprune_barrier(ThreadContext *Thread, uint32_t Number, uint32_t Threads) {
  workerOf(Thread).Barriers.wait(Number, Threads, false);
}

uint32_t gpuprune_barrier_popc(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  return workerOf(Thread).Barriers.wait(Number, Threads, Predicate).Count;
}

uint32_t gpuprune_barrier_and(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  BlockBarriers::Votes Votes = workerOf(Thread).Barriers.wait(Number, Threads, Predicate);
  return Votes.Count == Votes.Threads;
}

uint32_t gpuprune_barrier_or(ThreadContext *Thread, uint32_t Number, uint32_t Threads, uint32_t Predicate) {
  return workerOf(Thread).Barriers.wait(Number, Threads, Predicate).Count > 0;
}

void gpuprune_barrier_arrive(ThreadContext *Thread, uint32_t Number, uint32_t Threads) {
  workerOf(Thread).Barriers.arrive(Number, Threads);
}

namespace gpuprune {

static const RuntimeFunction Functions[] = {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) {#Name, reinterpret_cast<void *>(&Name), Meets},
#include "DeviceRuntime.def"
};

ArrayRef<RuntimeFunction> runtimeFunctions() { return Functions; }

static const RuntimeFunction *findRuntimeFunction(StringRef Symbol) {
  static const StringMap<const RuntimeFunction *> BySymbol = [] {
    StringMap<const RuntimeFunction *> Map;
    for (const RuntimeFunction &F : Functions)
      Map[F.Symbol] = &F;
    return Map;
  }();
  return BySymbol.lookup(Symbol);
}

bool isRuntimeFunction(StringRef Symbol) { return findRuntimeFunction(Symbol); }

bool isMeetingPoint(StringRef Symbol) {
  const RuntimeFunction *F = findRuntimeFunction(Symbol);
  return F && F->Meets;
}

} // namespace gpuprune
