//===- PtxThreads.cpp - PTX instructions on which threads meet -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/WarpOperations.h"
#include "PtxLowering.h"

using namespace llvm;

namespace gpuprune {

/// {bar,barrier}{.cta}.{sync,arrive,red.*,warp.sync}; .aligned promises what is checked anyway.
PtxLowering::Values PtxLowering::barrier(PtxOperation &Op, Sources X) {
  if (Op.take("warp")) {
    Op.take("sync");
    return warp(unsigned(WarpOperation::Sync), X[0], B.getInt32(0)), Values();
  }
  if (Op.take("cluster")) { // Of one block: nobody to wait for at arrive, the block at wait.
    Op.takeOne({"release", "relaxed", "acquire"});
    Op.take("aligned");
    if (Op.take("arrive"))
      return {};
    if (!Op.take("wait"))
      return {nullptr};
    onThread("gpuprune_cluster_wait", B.getVoidTy(), {});
    return {};
  }
  Op.take("cta");
  Op.take("aligned");
  Value *Zero = B.getInt32(0), *Number = as(X[0], i32());
  if (Op.take("sync")) {
    onThread("gpuprune_barrier", B.getVoidTy(), {Number, X.size() > 1 ? as(X[1], i32()) : Zero});
    return {};
  }
  if (Op.take("arrive")) {
    onThread("gpuprune_barrier_arrive", B.getVoidTy(), {Number, as(X[1], i32())});
    return {};
  }
  if (!Op.take("red"))
    return {nullptr};
  StringRef Vote = Op.takeOne({"popc", "and", "or"});
  Value *Threads = X.size() > 2 ? as(X[1], i32()) : Zero,
        *Predicate = B.CreateZExt(as(X.back(), i1()), i32());
  return {Vote.empty() ? nullptr
                       : onThread(("gpuprune_barrier_" + Vote).str(), i32(), {Number, Threads, Predicate})};
}

PtxLowering::Values PtxLowering::lowerBar(PtxOperation &Op, Sources X) { return barrier(Op, X); }
PtxLowering::Values PtxLowering::lowerBarrier(PtxOperation &Op, Sources X) { return barrier(Op, X); }

/// An operation in which each lane brings one value. The runtime packs the result
/// with the predicate above it where one is asked for.
Value *PtxLowering::warp(unsigned Operation, Value *Mask, Value *V, Value **Predicate) {
  Value *Packed = onThread("gpuprune_warp", i64(), {B.getInt32(Operation), as(Mask, i32()), as(V, i64())});
  if (Predicate)
    *Predicate = B.CreateTrunc(B.CreateLShr(Packed, 32), i1());
  return B.CreateTrunc(Packed, i32());
}

PtxLowering::Values PtxLowering::lowerShfl(PtxOperation &Op, Sources X) {
  StringRef Mode = Op.take("sync") ? Op.takeOne({"up", "down", "bfly", "idx"}) : "";
  if (Mode.empty())
    return {nullptr};
  WarpOperation Operation = Mode == "up"     ? WarpOperation::ShuffleUp
                            : Mode == "down" ? WarpOperation::ShuffleDown
                            : Mode == "bfly" ? WarpOperation::ShuffleButterfly
                                             : WarpOperation::ShuffleIndex;
  Value *Packed = onThread(
      "gpuprune_shuffle", i64(),
      {B.getInt32(unsigned(Operation)), as(X[3], i32()), as(X[0], i32()), as(X[1], i32()), as(X[2], i32())});
  return {B.CreateTrunc(Packed, i32()), B.CreateTrunc(B.CreateLShr(Packed, 32), i1())};
}

PtxLowering::Values PtxLowering::lowerVote(PtxOperation &Op, Sources X) {
  if (!Op.take("sync"))
    return {nullptr};
  Value *Predicate = B.CreateZExt(as(X[0], i1()), i32());
  if (Op.take("ballot"))
    return {warp(unsigned(WarpOperation::VoteBallot), X[1], Predicate)};
  StringRef Mode = Op.takeOne({"all", "any", "uni"});
  if (Mode.empty())
    return {nullptr};
  WarpOperation Operation = Mode == "all"   ? WarpOperation::VoteAll
                            : Mode == "any" ? WarpOperation::VoteAny
                                            : WarpOperation::VoteUniform;
  return {B.CreateTrunc(warp(unsigned(Operation), X[1], Predicate), i1())};
}

PtxLowering::Values PtxLowering::lowerMatch(PtxOperation &Op, Sources X) {
  bool All = Op.take("all"), Known = (All || Op.take("any")) && Op.take("sync");
  if (!Known)
    return {nullptr};
  Value *Predicate = nullptr, *V = as(X[0], typeOf(Op.type()));
  Value *Lanes = warp(unsigned(All ? WarpOperation::MatchAll : WarpOperation::MatchAny), X[1], V, &Predicate);
  return All ? Values{Lanes, Predicate} : Values{Lanes};
}

PtxLowering::Values PtxLowering::lowerRedux(PtxOperation &Op, Sources X) {
  StringRef Name = Op.take("sync") ? Op.takeOne({"add", "min", "max", "and", "or", "xor"}) : "";
  if (Name.empty() || Op.type().isFloat() || Op.type().Width != 32)
    return {nullptr};
  bool Signed = Op.type().isSigned();
  WarpOperation Operation =
      StringSwitch<WarpOperation>(Name)
          .Case("add", WarpOperation::ReduceAdd)
          .Case("and", WarpOperation::ReduceAnd)
          .Case("or", WarpOperation::ReduceOr)
          .Case("xor", WarpOperation::ReduceXor)
          .Case("min", Signed ? WarpOperation::ReduceMinSigned : WarpOperation::ReduceMinUnsigned)
          .Case("max", Signed ? WarpOperation::ReduceMaxSigned : WarpOperation::ReduceMaxUnsigned);
  return {warp(unsigned(Operation), X[1], as(X[0], i32()))};
}

PtxLowering::Values PtxLowering::lowerElect(PtxOperation &Op, Sources X) {
  Value *Predicate = nullptr;
  Value *Lane =
      Op.take("sync") ? warp(unsigned(WarpOperation::Elect), X[0], B.getInt32(0), &Predicate) : nullptr;
  return {Lane, Predicate};
}

/// Lanes at the same call belong together.
PtxLowering::Values PtxLowering::lowerActivemask(PtxOperation &, Sources) {
  Module &M = *B.GetInsertBlock()->getModule();
  NamedMDNode *Sites = M.getOrInsertNamedMetadata("gpuprune.activemask.sites");
  Sites->addOperand(MDNode::get(M.getContext(), {}));
  return {onThread("gpuprune_activemask", i32(), {B.getInt32(Sites->getNumOperands())})};
}

PtxLowering::Values PtxLowering::lowerNanosleep(PtxOperation &, Sources) { return {}; }
PtxLowering::Values PtxLowering::lowerGriddepcontrol(PtxOperation &Op, Sources) {
  Op.takeOne({"launch_dependents", "wait"});
  return {};
}
PtxLowering::Values PtxLowering::lowerBrkpt(PtxOperation &Op, Sources X) { return lowerTrap(Op, X); }
PtxLowering::Values PtxLowering::lowerTrap(PtxOperation &, Sources) {
  onThread("gpuprune_trap", B.getVoidTy(), {});
  return {};
}
PtxLowering::Values PtxLowering::lowerExit(PtxOperation &, Sources) {
  onThread("gpuprune_exit", B.getVoidTy(), {});
  return {};
}

} // namespace gpuprune
