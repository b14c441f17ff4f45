//===- Worker.cpp - Runs one block after another on one core -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Worker.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <csignal>
#include <cstring>
#include <limits>

using namespace llvm;

namespace gpuprune {

/// How often a loop that may spin goes round before the others get their turn.
static constexpr int64_t SpinsBeforeYield = 64;

Error Worker::prepareShared() {
  if (SharedMapping.pages().size() >= alignTo(Plan->SharedBytes, WidestAccessBytes) &&
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
  return const_cast<char *>(SharedMapping.pages().end()) - alignTo(Plan->SharedBytes, WidestAccessBytes);
}

void Worker::setThread(ThreadContext &Context, unsigned Linear) {
  Dim3 Index = Plan->threadIndex(Linear);
  for (unsigned D = 0; D < 3; ++D)
    Context.ThreadIndex[D] = Index[D];
  Context.Linear = Linear;
  Context.Lane = Linear % WarpSize;
  Context.Warp = Linear / WarpSize;
  Context.Shared = shared();
  Context.DynamicShared = Context.Shared + (Plan->SharedBytes - Plan->DynamicSharedBytes);
  Context.Block = &Block;
}

Error Worker::prepare(const LaunchPlan &NewPlan, unsigned WorkerIndex, unsigned Workers) {
  Plan = &NewPlan;
  BlocksDone = 0;
  Fibers.resetSwitches();
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
  Block.Workers = Workers;
  Block.Owner = this;
  LastMeeting.assign(Threads, 0);
  for (unsigned I = 0; I < Stacks; ++I)
    setThread(Fibers.Stacks.context(I), I);
  return Error::success();
}

void Worker::runThread(void *Self) {
  auto *W = static_cast<Worker *>(Self);
  W->Plan->Entry(W->Plan->Arguments);
  W->endThread();
}

void Worker::endThread() {
  Warps.ended();
  Fibers.finish();
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
  CurrentBlock = LinearBlock;
  Watch.startBlock(*Plan, {shared(), size_t(Plan->SharedBytes)});
  std::memset(shared(), Plan->SharedPattern, Plan->SharedBytes);
  Raised.reset();
  Output.clear();
  Copies.reset(Plan->threads(), Plan->SharedPattern);
  Block.StepsLeft = Plan->StepLimit ? int64_t(Plan->StepLimit) : std::numeric_limits<int64_t>::max();
  Block.SpinsLeft = SpinsBeforeYield;
  Fibers.start(Plan->ThreadsMeet ? Plan->threads() : 1, Plan->ThreadsMeet ? runThread : runAllThreads, this,
               Plan->ScheduleSeed ? Plan->ScheduleSeed + LinearBlock : 0);
  Barriers.reset();
  Warps.reset(Plan->threads());
  bool Finished = false;
  if (std::optional<CaughtSignal> Signal =
          catchSignals(Plan->Code, Plan->Memory, [&] { Finished = Fibers.run(); }))
    return describe(*Signal);
  if (Raised)
    return std::move(Raised);
  if (!Finished)
    return standstill();
  return std::nullopt;
}

RawFault Worker::describe(const CaughtSignal &Signal) const {
  RawFault Fault;
  Fault.Thread = currentThread();
  Fault.CodeAddress = Signal.CodeAddress;
  switch (Signal.Number) {
  case SIGFPE:
    Fault.Kind = FaultKind::Division;
    Fault.Text = "an integer is divided by zero";
    return Fault;
  case SIGILL:
    Fault.Kind = FaultKind::Trap;
    Fault.Text = "code that cannot be reached was reached";
    return Fault;
  case SIGURG:
    Fault.Kind = FaultKind::TimeLimit;
    Fault.Text = "the time limit is up";
    return Fault;
  default:
    break;
  }
  if (Signal.KnowsAddress && Fibers.Stacks.guardAt(Signal.Address) >= 0) {
    Fault.Kind = FaultKind::StackOverflow;
    Fault.Text = formatv("the thread's stack of {0} bytes is full", Plan->StackBytes);
    return Fault;
  }
  Fault.Kind = FaultKind::Memory;
  if (Signal.KnowsAddress)
    Fault.Address = reinterpret_cast<uint64_t>(Signal.Address);
  if (SharedMapping.reserves(reinterpret_cast<uint64_t>(Signal.Address)))
    Fault.Place = BufferPlace{"shared memory", Signal.Address - shared(), Plan->SharedBytes};
  if (!Signal.KnowsAddress)
    Fault.Text = "access to a misaligned or impossible address";
  return Fault;
}

RawFault Worker::standstill() const {
  std::string Text = Barriers.describeWaiting(), Lanes = Warps.describeWaiting();
  Text += (Text.empty() || Lanes.empty() ? "" : "; ") + Lanes;
  if (unsigned Done = Fibers.count() - Fibers.unfinished())
    Text += formatv("; {0} of the block's {1} threads have ended", Done, Fibers.count()).str();
  int First = Barriers.firstWaiting() >= 0 ? Barriers.firstWaiting() : Warps.firstWaiting();
  unsigned Thread = std::max(0, First);
  return {FaultKind::Barrier, Thread, std::nullopt, std::nullopt, LastMeeting[Thread], Text};
}

void Worker::raise(FaultKind Kind, std::string Text, uint64_t CodeAddress) {
  Raised = RawFault{Kind, currentThread(), std::nullopt, std::nullopt, CodeAddress, std::move(Text)};
  Fibers.abandon();
}

void Worker::watch(const ThreadContext &Thread, MemoryAccess Access, const char *Address,
                   uint64_t CodeAddress) {
  Access.Block = CurrentBlock;
  Access.Thread = Thread.Linear;
  Access.Space = SharedMapping.reserves(Access.Address) ? AccessSpace::Shared
                 : Fibers.Stacks.contains(Address)      ? AccessSpace::Local
                                                        : AccessSpace::Global;
  if (Plan->Trace)
    (*Plan->Trace)(Access);
  if (Access.Kind == AccessKind::Branch)
    return;
  std::optional<RawFault> Fault = Watch.check(Access, Address);
  if (!Fault)
    return;
  Fault->CodeAddress = CodeAddress;
  Raised = std::move(Fault);
  Fibers.abandon();
}

void Worker::yield() {
  Block.SpinsLeft = SpinsBeforeYield;
  if (Plan->Stop->load(std::memory_order_relaxed))
    raise(FaultKind::TimeLimit, "the time limit is up", LastMeeting[Fibers.current()]);
  Fibers.yield();
}

} // namespace gpuprune
