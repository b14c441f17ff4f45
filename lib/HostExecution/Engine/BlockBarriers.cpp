//===- BlockBarriers.cpp - The barriers of a block -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockBarriers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

void BlockBarriers::reset() {
  for (Barrier &B : Barriers) {
    B.Waiting.assign(Fibers.count(), false);
    B.Open = {};
  }
}

void BlockBarriers::arrive(unsigned Number, unsigned Threads) {
  Barrier &B = Barriers[std::min<unsigned>(Number, ClusterBarrier)];
  ++B.Open.Threads;
  complete(B, Threads);
}

int BlockBarriers::firstWaiting() const {
  for (const Barrier &B : Barriers)
    if (!B.Waiting.empty())
      return B.Waiting.first();
  return -1;
}

std::string BlockBarriers::describeWaiting() const {
  std::string Text;
  for (unsigned I = 0; I < Barriers.size(); ++I)
    if (!Barriers[I].Waiting.empty())
      Text += formatv("{0}threads {1} wait at barrier {2}", Text.empty() ? "" : "; ",
                      Barriers[I].Waiting.inWords(), I)
                  .str();
  return Text;
}

} // namespace gpuprune
