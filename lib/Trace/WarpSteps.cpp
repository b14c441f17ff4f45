//===- WarpSteps.cpp - What a warp does in one step -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressWindows.h"
#include "AtomicSteps.h"
#include "WarpRunner.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

static constexpr uint32_t AllLanes = ~uint32_t(0);

/// Calls \p Visit with the number of each bit that is set in \p Lanes.
template <typename Visitor> static void forEachLane(uint32_t Lanes, Visitor Visit) {
  for (; Lanes; Lanes &= Lanes - 1)
    Visit(unsigned(llvm::countr_zero(Lanes)));
}

void BlockRunner::write(uint32_t Register, const uint64_t *Values, uint32_t Lanes) {
  uint64_t *Out = &Warp->Registers[size_t(Register) * TraceLanes];
  if (Lanes == AllLanes)
    std::memcpy(Out, Values, sizeof(LaneValues));
  else
    forEachLane(Lanes, [&](unsigned Of) { Out[Of] = Values[Of]; });
}

void BlockRunner::vote(const TraceStep &Step, uint32_t Lanes) {
  Present.All += unsigned(llvm::popcount(Lanes));
  if (BarrierResult(Step.Mode) != BarrierResult::Nothing)
    forEachLane(Lanes, [&](unsigned Of) { Present.Yes += read(Step.In[0])[Of] & 1; });
}

/// What the threads of the block have told each other at \p Barrier.
void BlockRunner::resume(const TraceStep &Barrier) {
  BarrierResult Wanted = BarrierResult(Barrier.Mode);
  if (Wanted == BarrierResult::Nothing)
    return;
  LaneValues Values;
  std::fill_n(Values, TraceLanes,
              Wanted == BarrierResult::All   ? Last.Yes == Last.All
              : Wanted == BarrierResult::Any ? Last.Yes != 0
                                             : Last.Yes);
  write(Barrier.Out, Values, Warp->Lanes);
}

void BlockRunner::compute(const TraceStep &Step, uint32_t Lanes) {
  const uint64_t *A = read(Step.In[0]), *B = read(Step.In[1]), *C = read(Step.In[2]);
  if (Lanes == AllLanes) {
    Step.Function(&Warp->Registers[size_t(Step.Out) * TraceLanes], A, B, C);
    return;
  }
  LaneValues Values;
  Step.Function(Values, A, B, C);
  write(Step.Out, Values, Lanes);
}

void BlockRunner::divide(const TraceStep &Step, uint32_t Lanes) {
  uint64_t Mask = maskTrailingOnes<uint64_t>(Step.Mode);
  LaneValues Low, High;
  const uint64_t *A = read(Step.In[0]), *B = read(Step.In[1]);
  bool IsJoin = Step.Is == TraceStep::Form::Join;
  for (unsigned Of = 0; Of != TraceLanes; ++Of) {
    Low[Of] = IsJoin ? (A[Of] & Mask) | (B[Of] & Mask) << Step.Mode : A[Of] & Mask;
    High[Of] = IsJoin ? 0 : A[Of] >> Step.Mode & Mask;
  }
  write(Step.Out, Low, Lanes);
  if (!IsJoin)
    write(Step.In[1], High, Lanes);
}

/// PTX ISA, shfl.sync. A lane whose source takes no part gets its own value.
void BlockRunner::shuffle(const TraceStep &Step, uint32_t Lanes) {
  LaneValues Values;
  const uint64_t *A = read(Step.In[0]), *B = read(Step.In[1]), *C = read(Step.In[2]);
  for (unsigned Of = 0; Of != TraceLanes; ++Of) {
    unsigned By = B[Of] & 31, Clamp = C[Of] & 31, Segment = C[Of] >> 8 & 31;
    unsigned Least = Of & Segment, Most = Least | (Clamp & ~Segment);
    int From = Step.Mode == 0   ? int(Least | (By & ~Segment))
               : Step.Mode == 1 ? int(Of) - int(By)
               : Step.Mode == 2 ? int(Of + By)
                                : int(Of ^ By);
    bool IsIn = Step.Mode == 1 ? From >= int(Most) : From <= int(Most);
    Values[Of] = A[IsIn ? unsigned(From) & 31 : Of];
  }
  write(Step.Out, Values, Lanes);
}

void BlockRunner::access(const TraceAccess &A, uint32_t Lanes) {
  LaneValues Addresses;
  const uint64_t *Base = read(A.Base);
  // Addresses of these are 32 bits wide.
  bool IsNarrow = A.Space == PtxSpace::Shared || A.Space == PtxSpace::Local;
  uint64_t Mask = IsNarrow ? WindowBytes - 1 : ~uint64_t(0);
  for (unsigned Of = 0; Of != TraceLanes; ++Of)
    Addresses[Of] = (Base[Of] + uint64_t(A.Offset)) & Mask;
  if (A.IsRecorded)
    tell(A, Lanes, Addresses);
  if (A.Moves)
    move(A, Lanes, Addresses);
}

void BlockRunner::tell(const TraceAccess &A, uint32_t Lanes, const uint64_t *Addresses) {
  WarpAccess Told;
  Told.Kind = A.Kind;
  Told.Space = A.Space == PtxSpace::Shared ? AccessSpace::Shared : AccessSpace::Global;
  Told.IsConstant = A.Space == PtxSpace::Constant;
  Told.Bytes = A.bytes();
  Told.Site = A.Site;
  Told.Warp = Warp->Number;
  Told.Lanes = Lanes;
  Told.Addresses = Addresses;
  if (A.Space != PtxSpace::Generic) {
    (*Sink)(Told);
    return;
  }
  uint32_t InShared = 0, InLocal = 0;
  forEachLane(Lanes, [&](unsigned Of) {
    InShared |= uint32_t(Addresses[Of] - SharedWindow < WindowBytes) << Of;
    InLocal |= uint32_t(Addresses[Of] - LocalWindow < WindowBytes) << Of;
  });
  for (AccessSpace Space : {AccessSpace::Global, AccessSpace::Shared, AccessSpace::Local}) {
    Told.Space = Space;
    Told.Lanes = Space == AccessSpace::Shared  ? InShared
                 : Space == AccessSpace::Local ? InLocal
                                               : Lanes & ~(InShared | InLocal);
    if (Told.Lanes)
      (*Sink)(Told);
  }
}

/// Where \p Bytes of shared or local memory lie; empty where not all of them do, or it is other memory.
MutableArrayRef<char> BlockRunner::placeOf(PtxSpace Space, unsigned Lane, uint64_t Address, uint64_t Bytes) {
  auto Part = [&](std::vector<char> &Of, uint64_t Offset, uint64_t Size,
                  uint64_t First) -> MutableArrayRef<char> {
    if (Offset > Size || Bytes > Size - Offset)
      return {};
    return {Of.data() + First + Offset, size_t(Bytes)};
  };
  bool IsGeneric = Space == PtxSpace::Generic;
  if (Space == PtxSpace::Shared || (IsGeneric && Address - SharedWindow < WindowBytes))
    return Part(Shared, IsGeneric ? Address - SharedWindow : Address, Shared.size(), 0);
  if (Space == PtxSpace::Local || (IsGeneric && Address - LocalWindow < WindowBytes))
    return Part(Warp->Local, IsGeneric ? Address - LocalWindow : Address, Program.LocalBytes,
                Lane * Program.LocalBytes);
  return {};
}

/// One lane's elements, to or from \p Values. False where there is no such memory.
bool BlockRunner::transfer(const TraceAccess &A, unsigned Lane, uint64_t Address, bool IsWrite,
                           uint64_t *Values) {
  char Bytes[sizeof(uint64_t) * 8];
  MutableArrayRef<char> All(Bytes, A.bytes());
  bool IsOfDevice = A.Space == PtxSpace::Global || A.Space == PtxSpace::Constant ||
                    A.Space == PtxSpace::Parameter ||
                    (A.Space == PtxSpace::Generic && Address - SharedWindow >= WindowBytes &&
                     Address - LocalWindow >= WindowBytes);
  MutableArrayRef<char> Place =
      IsOfDevice ? MutableArrayRef<char>() : placeOf(A.Space, Lane, Address, A.bytes());
  if (!IsOfDevice && Place.empty())
    return false;
  if (!IsWrite) {
    if (IsOfDevice ? !Memory.read(Address, All) : false)
      return false;
    if (!IsOfDevice)
      std::memcpy(Bytes, Place.data(), Place.size());
  }
  for (unsigned Element = 0; Element != A.Elements; ++Element) {
    char *At = Bytes + size_t(Element) * A.ElementBytes;
    if (IsWrite)
      std::memcpy(At, &Values[Element], A.ElementBytes);
    else {
      Values[Element] = 0;
      std::memcpy(&Values[Element], At, A.ElementBytes);
      if (A.IsSigned)
        Values[Element] = uint64_t(SignExtend64(Values[Element], A.ElementBytes * 8));
    }
  }
  if (!IsWrite)
    return true;
  if (IsOfDevice)
    return Memory.write(Address, All);
  std::memcpy(Place.data(), Bytes, Place.size());
  return true;
}

uint64_t &BlockRunner::valueOf(uint32_t Register, unsigned Lane) {
  return Warp->Registers[size_t(Register) * TraceLanes + Lane];
}

bool BlockRunner::load(const TraceAccess &A, unsigned Lane, uint64_t Address) {
  uint64_t Values[8] = {};
  // Most of all loads: those that decide on addresses.
  bool IsPlain = A.Elements == 1 && !A.IsSigned && A.Space == PtxSpace::Global;
  bool IsThere = IsPlain ? Memory.read(Address, {reinterpret_cast<char *>(Values), A.ElementBytes})
                         : transfer(A, Lane, Address, false, Values);
  for (unsigned I = 0; I != A.Elements; ++I)
    valueOf(A.Values[I], Lane) = Values[I];
  return IsThere;
}

bool BlockRunner::store(const TraceAccess &A, unsigned Lane, uint64_t Address) {
  uint64_t Values[8] = {};
  for (unsigned I = 0; I != A.Elements; ++I)
    Values[I] = read(A.Values[I])[Lane];
  return transfer(A, Lane, Address, true, Values);
}

bool BlockRunner::update(const TraceAccess &A, unsigned Lane, uint64_t Address) {
  uint64_t Values[8] = {};
  bool IsThere = transfer(A, Lane, Address, false, Values);
  uint64_t Before = Values[0];
  Values[0] =
      afterAtomic(A, Before, read(A.Values[0])[Lane], A.Values.size() > 1 ? read(A.Values[1])[Lane] : 0);
  transfer(A, Lane, Address, true, Values);
  if (!A.Results.empty())
    valueOf(A.Results[0], Lane) = Before;
  return IsThere;
}

void BlockRunner::move(const TraceAccess &A, uint32_t Lanes, const uint64_t *Addresses) {
  forEachLane(Lanes, [&](unsigned Lane) {
    bool IsThere = A.Kind == AccessKind::Load    ? load(A, Lane, Addresses[Lane])
                   : A.Kind == AccessKind::Store ? store(A, Lane, Addresses[Lane])
                                                 : update(A, Lane, Addresses[Lane]);
    // Where loops were left early, what indices hold need not make sense.
    if (!IsThere && !Result.LeftLoops)
      Problem = "an access outside of all buffers";
  });
}

} // namespace gpuprune
