//===- Worker.cpp - Runs one block after another on one core -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Worker.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace gpuprune {

/// Shared memory before a kernel writes it: a NaN, an index that is out of bounds.
static constexpr char UnwrittenShared = char(0xFF);
static constexpr uint64_t SharedAlignment = 16;

Error Worker::prepareShared() {
  if (SharedMapping.pages().size() >= alignTo(Plan->SharedBytes, SharedAlignment) &&
      !SharedMapping.pages().empty())
    return Error::success();
  Expected<GuardedMapping> Mapping = GuardedMapping::create(Plan->SharedBytes);
  if (!Mapping)
    return Mapping.takeError();
  SharedMapping = std::move(*Mapping);
  return Error::success();
}

/// Shared memory ends where its guard zone starts.
char *Worker::shared() const {
  return const_cast<char *>(SharedMapping.pages().end()) - alignTo(Plan->SharedBytes, SharedAlignment);
}

void Worker::setThread(ThreadContext &Context, unsigned Linear) {
  Dim3 Index = Plan->threadIndex(Linear);
  for (unsigned D = 0; D < 3; ++D)
    Context.ThreadIndex[D] = Index[D];
  Context.Linear = Linear;
  Context.Lane = Linear % WarpSize;
  Context.Warp = Linear / WarpSize;
  Context.Shared = shared();
  Context.Block = &Block;
}

Error Worker::prepare(const LaunchPlan &NewPlan, unsigned WorkerIndex) {
  Plan = &NewPlan;
  unsigned Threads = Plan->threads(), Stacks = Plan->ThreadsMeet ? Threads : 1;
  if (Error E = Fibers.Stacks.ensure(Stacks, Plan->StackBytes))
    return E;
  if (Error E = prepareShared())
    return E;
  std::copy_n(Plan->Block, 3, Block.BlockExtent);
  std::copy_n(Plan->Grid, 3, Block.GridExtent);
  Block.DynamicSharedBytes = Plan->DynamicSharedBytes;
  Block.SharedBytes = Plan->SharedBytes;
  Block.Warps = divideCeil(Threads, WarpSize);
  Block.WorkerIndex = WorkerIndex;
  Block.Owner = this;
  for (unsigned I = 0; I < Stacks; ++I)
    setThread(Fibers.Stacks.context(I), I);
  return Error::success();
}

void Worker::runThread(void *Self) {
  auto *W = static_cast<Worker *>(Self);
  W->Plan->Entry(W->Plan->Arguments);
  W->Fibers.finish();
}

/// For threads that never wait for each other: no need for a stack each.
void Worker::runAllThreads(void *Self) {
  auto *W = static_cast<Worker *>(Self);
  for (unsigned I = 0, Threads = W->Plan->threads(); I < Threads; ++I) {
    W->CurrentThread = I;
    W->setThread(W->Fibers.Stacks.context(0), I);
    W->Plan->Entry(W->Plan->Arguments);
  }
  W->Fibers.finish();
}

std::optional<RawFault> Worker::runBlock(uint64_t LinearBlock) {
  Dim3 Index = Plan->blockIndex(LinearBlock);
  for (unsigned D = 0; D < 3; ++D)
    Block.BlockIndex[D] = Index[D];
  std::memset(shared(), UnwrittenShared, Plan->SharedBytes);
  Raised.reset();
  Fibers.start(Plan->ThreadsMeet ? Plan->threads() : 1, Plan->ThreadsMeet ? runThread : runAllThreads, this,
               Plan->ScheduleSeed ? Plan->ScheduleSeed + LinearBlock : 0);
  Barriers.reset();
  bool Finished = Fibers.run();
  if (Raised)
    return std::move(Raised);
  if (!Finished)
    return standstill();
  return std::nullopt;
}

RawFault Worker::standstill() const {
  std::string Text = Barriers.describeWaiting();
  if (unsigned Done = Fibers.count() - Fibers.unfinished())
    Text += formatv("; {0} of the block's {1} threads have ended", Done, Fibers.count()).str();
  return {FaultKind::Barrier, unsigned(std::max(0, Barriers.firstWaiting())), 0, 0, Text};
}

void Worker::raise(FaultKind Kind, std::string Text, uint64_t CodeAddress) {
  unsigned Thread = Plan->ThreadsMeet ? Fibers.current() : CurrentThread;
  Raised = RawFault{Kind, Thread, 0, CodeAddress, std::move(Text)};
  Fibers.abandon();
}

} // namespace gpuprune
