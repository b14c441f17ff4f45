//===- BlockBarriers.cpp - The barriers of a block -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockBarriers.h"
#include "ThreadList.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

void BlockBarriers::reset() {
  for (Barrier &B : Barriers) {
    B.Waiting.clear();
    B.Waiting.resize(Fibers.count());
    B.Open = {};
  }
}

/// Lets all go on if as many as are expected have come.
bool BlockBarriers::complete(Barrier &B, unsigned Threads) {
  if (B.Open.Threads < (Threads ? Threads : Fibers.count()))
    return false;
  B.Closed = B.Open;
  B.Open = {};
  int First = B.Waiting.find_first();
  for (unsigned Thread : B.Waiting.set_bits())
    Fibers.wake(Thread);
  B.Waiting.reset();
  Fibers.continueWith(First < 0 ? Fibers.current() : First);
  return true;
}

BlockBarriers::Votes BlockBarriers::wait(unsigned Number, unsigned Threads, bool Predicate) {
  Barrier &B = Barriers[std::min(Number, ClusterBarrier)];
  ++B.Open.Threads;
  B.Open.Count += Predicate;
  if (complete(B, Threads)) {
    Votes Result = B.Closed;
    Fibers.yield();
    return Result;
  }
  B.Waiting.set(Fibers.current());
  Fibers.suspend();
  return B.Closed;
}

void BlockBarriers::arrive(unsigned Number, unsigned Threads) {
  Barrier &B = Barriers[std::min(Number, ClusterBarrier)];
  ++B.Open.Threads;
  complete(B, Threads);
}

int BlockBarriers::firstWaiting() const {
  for (const Barrier &B : Barriers)
    if (B.Waiting.any())
      return B.Waiting.find_first();
  return -1;
}

std::string BlockBarriers::describeWaiting() const {
  std::string Text;
  for (unsigned I = 0; I < Barriers.size(); ++I)
    if (Barriers[I].Waiting.any())
      Text += formatv("{0}threads {1} wait at barrier {2}", Text.empty() ? "" : "; ",
                      threadList(Barriers[I].Waiting), I)
                  .str();
  return Text;
}

} // namespace gpuprune
