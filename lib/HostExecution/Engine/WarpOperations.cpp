//===- WarpOperations.cpp - Shuffles, votes and the like -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarpOperations.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

void WarpOperations::reset(unsigned Threads) {
  Asking = 0;
  Warps.assign(divideCeil(Threads, WarpSize), {});
  for (unsigned I = 0; I < Warps.size(); ++I)
    Warps[I].Lanes = maskTrailingOnes<uint32_t>(std::min(WarpSize, Threads - I * WarpSize));
}

/// Those of \p W that wait with the request that \p Request is.
static uint32_t lanesWith(ArrayRef<LaneRequest *> Waiting, const LaneRequest &Request) {
  uint32_t Lanes = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (const LaneRequest *R = Waiting[Lane])
      Lanes |= uint32_t(R->Operation == Request.Operation && R->Mask == Request.Mask) << Lane;
  return Lanes;
}

/// Gives \p Lanes their results and lets them go on.
void WarpOperations::finish(Warp &W, WarpOperation Operation, uint32_t Lanes) {
  computeWarpOperation(Operation, W.Waiting, Lanes);
  unsigned First = (&W - Warps.data()) * WarpSize;
  for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    W.Waiting[countr_zero(Rest)] = nullptr;
    Fibers.wake(First + countr_zero(Rest));
  }
  W.Meeting &= ~Lanes;
  Fibers.continueWith(First + countr_zero(Lanes));
}

bool WarpOperations::completeIfAllCame(Warp &W, const LaneRequest &Request) {
  uint32_t Needed = Request.Mask & W.Lanes & ~W.Ended;
  if (Needed & ~W.Meeting)
    return false;
  uint32_t Came = lanesWith(W.Waiting, Request);
  if (Needed & ~Came)
    return false;
  finish(W, Request.Operation, Needed);
  return true;
}

bool WarpOperations::meet(LaneRequest &Request) {
  unsigned Self = Fibers.current(), Lane = Self % WarpSize;
  if (!(Request.Mask >> Lane & 1))
    return false;
  Warp &W = currentWarp();
  W.Waiting[Lane] = &Request;
  W.Meeting |= 1u << Lane;
  if (completeIfAllCame(W, Request)) {
    Fibers.yield();
    return true;
  }
  settle(W);
  Fibers.suspend();
  return true;
}

uint32_t WarpOperations::activeMask(uint64_t Site) {
  // The site stands where other operations have their mask: lanes with the same
  // one belong together.
  LaneRequest Request;
  Request.Operation = WarpOperation::ActiveMask;
  Request.Mask = uint32_t(Site);
  Warp &W = currentWarp();
  unsigned Lane = Fibers.current() % WarpSize;
  W.Waiting[Lane] = &Request;
  W.Meeting |= 1u << Lane;
  ++Asking;
  settle(W);
  if (W.Waiting[Lane])
    Fibers.suspend();
  else
    Fibers.yield();
  return Request.Result;
}

/// Answers those who ask for the active lanes once nobody else can come.
void WarpOperations::settle(Warp &W) {
  if (!Asking)
    return;
  unsigned First = (&W - Warps.data()) * WarpSize;
  if (Fibers.othersRunnable(First, std::min(First + WarpSize, Fibers.count())))
    return;
  for (LaneRequest *Request : W.Waiting)
    if (Request && Request->Operation == WarpOperation::ActiveMask) {
      uint32_t Together = lanesWith(W.Waiting, *Request);
      Asking -= popcount(Together);
      return finish(W, WarpOperation::ActiveMask, Together);
    }
}

void WarpOperations::ended() {
  Warp &W = currentWarp();
  W.Ended |= 1u << Fibers.current() % WarpSize;
  // Others may have waited for this lane alone.
  for (LaneRequest *Request : W.Waiting)
    if (Request && Request->Operation != WarpOperation::ActiveMask && completeIfAllCame(W, *Request))
      return;
  settle(W);
}

int WarpOperations::firstWaiting() const {
  for (unsigned I = 0; I < Warps.size(); ++I)
    if (Warps[I].Meeting)
      return I * WarpSize + countr_zero(Warps[I].Meeting);
  return -1;
}

static StringRef nameOf(WarpOperation Operation) {
  switch (Operation) {
  case WarpOperation::Sync:
    return "__syncwarp";
  case WarpOperation::ShuffleUp:
  case WarpOperation::ShuffleDown:
  case WarpOperation::ShuffleButterfly:
  case WarpOperation::ShuffleIndex:
    return "a shuffle";
  case WarpOperation::VoteAll:
  case WarpOperation::VoteAny:
  case WarpOperation::VoteUniform:
  case WarpOperation::VoteBallot:
    return "a vote";
  case WarpOperation::MatchAny:
  case WarpOperation::MatchAll:
    return "a match";
  case WarpOperation::Elect:
    return "an election";
  case WarpOperation::ActiveMask:
    return "__activemask";
  default:
    return "a reduction";
  }
}

std::string WarpOperations::describeWaiting() const {
  std::string Text;
  for (unsigned I = 0; I < Warps.size() && Text.size() < 200; ++I)
    for (uint32_t Rest = Warps[I].Meeting; Rest;) {
      const LaneRequest &Request = *Warps[I].Waiting[countr_zero(Rest)];
      uint32_t Lanes = lanesWith(Warps[I].Waiting, Request);
      ThreadSet Threads;
      Threads.assign((I + 1) * WarpSize, false);
      for (uint32_t L = Lanes; L; L &= L - 1)
        Threads.insert(I * WarpSize + countr_zero(L));
      Text += formatv("{0}threads {1} wait in {2} with mask {3:x8}", Text.empty() ? "" : "; ",
                      Threads.inWords(), nameOf(Request.Operation), Request.Mask)
                  .str();
      Rest &= ~Lanes;
    }
  return Text;
}

} // namespace gpuprune
