//===- BlockRequests.cpp - The requests of a block's warps -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/BlockRequests.h"
#include "GrownTo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

void BlockRequests::addBranch(const WarpAccess &Access) {
  std::vector<uint32_t> &Of = grownTo(Branches, Access.Site);
  size_t First = size_t(Access.Warp) * LanesOfWarp;
  if (Of.size() < Threads)
    Of.resize(Threads);
  for (uint32_t Left = Access.Lanes; Left; Left &= Left - 1)
    ++Of[First + unsigned(llvm::countr_zero(Left))];
}

BlockRequest &BlockRequests::request(const WarpAccess &Access, uint32_t Execution) {
  std::vector<uint32_t> &Of = Sites[Access.Site][Access.Warp].Requests;
  if (Execution < Of.size())
    return Requests[Of[Execution]];
  Of.push_back(uint32_t(Requests.size()));
  BlockRequest &Made = Requests.emplace_back();
  Made.Place = ~uint32_t(0);
  Made.Warp = Access.Warp;
  Made.Site = Access.Site;
  Made.Execution = Execution;
  Made.Kind = Access.Kind;
  Made.IsShared = Access.Space == AccessSpace::Shared;
  Made.IsConstant = Access.IsConstant;
  return Made;
}

/// Those of \p Lanes whose counter is that of the first of them.
static uint32_t equalTo(const std::array<uint32_t, LanesOfWarp> &Counters, uint32_t Lanes) {
  uint32_t Wanted = Counters[unsigned(llvm::countr_zero(Lanes))], Equal = 0;
  for (unsigned Lane = 0; Lane != LanesOfWarp; ++Lane)
    Equal |= uint32_t(Counters[Lane] == Wanted) << Lane;
  return Equal & Lanes;
}

void BlockRequests::add(const WarpAccess &Access) {
  uint32_t Last = LanesOfWarp - 1 - unsigned(llvm::countl_zero(Access.Lanes));
  Threads = std::max<size_t>(Threads, size_t(Access.Warp) * LanesOfWarp + Last + 1);
  if (Access.Kind == AccessKind::Branch) {
    addBranch(Access);
    return;
  }
  if (Access.Space == AccessSpace::Local)
    return;
  Counters &Place = grownTo(Places, Access.Warp);
  Counters &Executions = grownTo(grownTo(Sites, Access.Site), Access.Warp).Executions;
  if (has_single_bit(Access.Lanes)) { // Where threads run one by one, all of them.
    BlockRequest &R = request(Access, Executions[Last]++);
    R.Lanes |= Access.Lanes;
    R.Bytes = std::max(R.Bytes, Access.Bytes);
    R.Addresses[Last] = Access.Addresses[Last];
    R.Place = std::min(R.Place, Place[Last]++);
    return;
  }
  // Lanes that have executed it equally often: mostly all.
  for (uint32_t Left = Access.Lanes; Left;) {
    uint32_t Equal = equalTo(Executions, Left), First = 0;
    BlockRequest &R = request(Access, Executions[unsigned(llvm::countr_zero(Left))]);
    R.Lanes |= Equal;
    R.Bytes = std::max(R.Bytes, Access.Bytes);
    for (unsigned Lane = 0; Lane != LanesOfWarp; ++Lane) { // Without branches, so that it is vectorised.
      uint32_t Is = Equal >> Lane & 1;
      R.Addresses[Lane] = Is ? Access.Addresses[Lane] : R.Addresses[Lane];
      First = std::max(First, Is ? ~Place[Lane] : 0);
      Place[Lane] += Is;
      Executions[Lane] += Is;
    }
    R.Place = std::min(R.Place, ~First);
    Left &= ~Equal;
  }
}

void BlockRequests::dropFrom(size_t Number) {
  Threads = std::min(Threads, Number);
  for (std::vector<uint32_t> &Of : Branches)
    if (Of.size() > Number)
      Of.resize(Number);
  for (BlockRequest &R : Requests) {
    size_t First = size_t(R.Warp) * LanesOfWarp;
    R.Lanes &= maskTrailingOnes<uint32_t>(
        unsigned(std::min<size_t>(LanesOfWarp, Number > First ? Number - First : 0)));
  }
}

std::vector<const BlockRequest *> BlockRequests::inTurns() const {
  std::vector<const BlockRequest *> Ordered;
  for (const BlockRequest &R : Requests)
    if (R.Lanes)
      Ordered.push_back(&R);
  stable_sort(Ordered, [](const BlockRequest *A, const BlockRequest *B) {
    return std::tie(A->Place, A->Warp) < std::tie(B->Place, B->Warp);
  });
  return Ordered;
}

} // namespace gpuprune
