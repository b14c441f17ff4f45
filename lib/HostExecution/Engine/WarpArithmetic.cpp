//===- WarpArithmetic.cpp - What lanes get from a warp operation ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarpOperations.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// One operation over the lanes that take part.
class LaneSet {
public:
  LaneSet(MutableArrayRef<LaneRequest *> Requests, uint32_t Lanes) : Requests(Requests), Lanes(Lanes) {}

  template <typename Callback> void forEach(Callback Do) const {
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1)
      Do(countr_zero(Rest), *Requests[countr_zero(Rest)]);
  }
  /// The lanes whose value satisfies \p Holds.
  template <typename Predicate> uint32_t where(Predicate Holds) const {
    uint32_t Found = 0;
    forEach([&](unsigned Lane, const LaneRequest &R) { Found |= uint32_t(Holds(R.Value)) << Lane; });
    return Found;
  }
  uint64_t firstValue() const { return Requests[countr_zero(Lanes)]->Value; }
  void giveAll(uint64_t Result, bool Predicate = false) const {
    forEach([&](unsigned, LaneRequest &R) {
      R.Result = Result;
      R.Predicate = Predicate;
    });
  }
  bool contains(unsigned Lane) const { return Lane < WarpSize && (Lanes >> Lane & 1); }
  uint64_t valueOf(unsigned Lane) const { return contains(Lane) ? Requests[Lane]->Value : ~uint64_t(0); }
  uint32_t lanes() const { return Lanes; }

private:
  MutableArrayRef<LaneRequest *> Requests;
  uint32_t Lanes;
};

} // namespace

/// shfl.sync as the PTX ISA has it in pseudocode.
static void shuffle(WarpOperation Operation, const LaneSet &Set) {
  Set.forEach([&](unsigned Lane, LaneRequest &R) {
    int Distance = R.Lane & 31, Clamp = R.Clamp & 31, Segment = R.Clamp >> 8 & 31;
    int Max = (int(Lane) & Segment) | (Clamp & ~Segment), Min = int(Lane) & Segment, From = Lane;
    switch (Operation) {
    case WarpOperation::ShuffleUp:
      From = int(Lane) - Distance;
      R.Predicate = From >= Max;
      break;
    case WarpOperation::ShuffleDown:
      From = int(Lane) + Distance;
      R.Predicate = From <= Max;
      break;
    case WarpOperation::ShuffleButterfly:
      From = int(Lane) ^ Distance;
      R.Predicate = From <= Max;
      break;
    default:
      From = Min | (Distance & ~Segment);
      R.Predicate = From <= Max;
      break;
    }
    R.Result = Set.valueOf(R.Predicate ? From : Lane);
  });
}

template <typename T, typename Combine> static void reduce(const LaneSet &Set, Combine Of) {
  T Result = T(Set.firstValue());
  bool First = true;
  Set.forEach([&](unsigned, const LaneRequest &R) {
    Result = First ? T(R.Value) : Of(Result, T(R.Value));
    First = false;
  });
  Set.giveAll(uint32_t(Result));
}

static void matchAny(const LaneSet &Set) {
  Set.forEach(
      [&](unsigned, LaneRequest &R) { R.Result = Set.where([&](uint64_t V) { return V == R.Value; }); });
}

void computeWarpOperation(WarpOperation Operation, MutableArrayRef<LaneRequest *> Requests, uint32_t Lanes) {
  LaneSet Set(Requests, Lanes);
  uint32_t True = Set.where([](uint64_t V) { return V != 0; });
  uint32_t SameAsFirst = Set.where([First = Set.firstValue()](uint64_t V) { return V == First; });
  bool AllSame = SameAsFirst == Lanes;
  auto Min = [](auto A, auto B) { return std::min(A, B); };
  auto Max = [](auto A, auto B) { return std::max(A, B); };
  switch (Operation) {
  case WarpOperation::Sync:
    return;
  case WarpOperation::ShuffleUp:
  case WarpOperation::ShuffleDown:
  case WarpOperation::ShuffleButterfly:
  case WarpOperation::ShuffleIndex:
    return shuffle(Operation, Set);
  case WarpOperation::VoteAll:
    return Set.giveAll(True == Lanes);
  case WarpOperation::VoteAny:
    return Set.giveAll(True != 0);
  case WarpOperation::VoteUniform:
    return Set.giveAll(True == 0 || True == Lanes);
  case WarpOperation::VoteBallot:
    return Set.giveAll(True);
  case WarpOperation::MatchAny:
    return matchAny(Set);
  case WarpOperation::MatchAll:
    return Set.giveAll(AllSame ? Lanes : 0, AllSame);
  case WarpOperation::ReduceAdd:
    return reduce<uint32_t>(Set, std::plus<uint32_t>());
  case WarpOperation::ReduceMinSigned:
    return reduce<int32_t>(Set, Min);
  case WarpOperation::ReduceMaxSigned:
    return reduce<int32_t>(Set, Max);
  case WarpOperation::ReduceMinUnsigned:
    return reduce<uint32_t>(Set, Min);
  case WarpOperation::ReduceMaxUnsigned:
    return reduce<uint32_t>(Set, Max);
  case WarpOperation::ReduceAnd:
    return reduce<uint32_t>(Set, std::bit_and<uint32_t>());
  case WarpOperation::ReduceOr:
    return reduce<uint32_t>(Set, std::bit_or<uint32_t>());
  case WarpOperation::ReduceXor:
    return reduce<uint32_t>(Set, std::bit_xor<uint32_t>());
  case WarpOperation::Elect:
    return Set.forEach([&](unsigned Lane, LaneRequest &R) {
      R.Result = countr_zero(Lanes);
      R.Predicate = R.Result == Lane;
    });
  case WarpOperation::ActiveMask:
    return Set.giveAll(Lanes);
  }
}

} // namespace gpuprune
