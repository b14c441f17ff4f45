//===- DeviceOperations.cpp - What operations of the device do ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Support/GlobPattern.h"
#include <vector>

using namespace llvm;

namespace gpuprune {

namespace {

struct Row {
  GlobPattern Names;
  DeviceOperation Operation;
};

using OperationTable = DenseMap<Intrinsic::ID, DeviceOperation>;

} // namespace

static std::vector<Row> readRows() {
  std::vector<Row> Rows;
#define DEVICE_OPERATION(Pattern, Kind, Scope, Reached, Orders, Accesses, UniformOver)                       \
  Rows.push_back({cantFail(GlobPattern::create(Pattern, /*MaxSubPatterns=*/16)),                             \
                  {OperationKind::Kind, OperationScope::Scope, Collective::Reached, Orders,                  \
                   OperationAccess::Accesses, OperationScope::UniformOver}});
#include "gpuprune/Analysis/DeviceOperations.def"
  return Rows;
}

static DeviceOperation operationOf(const SpecialRegister &Register) {
  OperationScope Scope =
      Register.Family == RegisterFamily::Cluster ? OperationScope::Cluster : Register.UniformOver;
  return {OperationKind::SpecialRegister,
          Scope,
          Collective::None,
          false,
          OperationAccess::None,
          Register.UniformOver};
}

/// The rows by intrinsic: there are thousands of names, and passes ask of every call.
static OperationTable makeTable() {
  OperationTable Table;
  for (const SpecialRegister &Register : specialRegisters())
    Table[Register.ID] = operationOf(Register);
  std::vector<Row> Rows = readRows();
  for (Intrinsic::ID ID = 1; ID != Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    if (!Name.consume_front("llvm.nvvm."))
      continue;
    auto Match = find_if(Rows, [&](const Row &R) { return R.Names.match(Name); });
    if (Match != Rows.end())
      Table.try_emplace(ID, Match->Operation);
  }
  return Table;
}

static std::optional<DeviceOperation> classifyIntrinsic(Intrinsic::ID ID) {
  static const OperationTable Table = makeTable();
  auto Found = Table.find(ID);
  return Found == Table.end() ? std::nullopt : std::optional(Found->second);
}

static DeviceOperation byItself(OperationKind Kind) {
  return {Kind,  OperationScope::Thread, Collective::None,
          false, OperationAccess::None,  OperationScope::Thread};
}

static std::optional<DeviceOperation> classifyCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return std::nullopt;
  if (Callee->getIntrinsicID() == Intrinsic::trap)
    return byItself(OperationKind::Trap);
  if (Callee->isIntrinsic())
    return classifyIntrinsic(Callee->getIntrinsicID());
  if (Callee->isDeclaration() && is_contained({"vprintf", "__assertfail"}, Callee->getName()))
    return byItself(OperationKind::SystemCall);
  return std::nullopt;
}

/// NVPTX's names of synchronisation scopes; another one may be the whole system.
static OperationScope scopeOf(const LLVMContext &Context, SyncScope::ID ID) {
  SmallVector<StringRef, 8> Names;
  Context.getSyncScopeNames(Names);
  StringRef Name = ID < Names.size() ? Names[ID] : "";
  if (Name == "singlethread")
    return OperationScope::Thread;
  if (Name == "block")
    return OperationScope::Block;
  if (Name == "cluster")
    return OperationScope::Cluster;
  return Name == "device" ? OperationScope::Grid : OperationScope::System;
}

static std::optional<DeviceOperation> classifyAtomic(const Instruction &I, AtomicOrdering Ordering,
                                                     OperationAccess Accesses) {
  bool IsFence = isa<FenceInst>(I);
  OperationScope Scope = scopeOf(I.getContext(), getAtomicSyncScopeID(&I).value_or(SyncScope::System));
  return DeviceOperation{IsFence ? OperationKind::Fence : OperationKind::Atomic,
                         Scope,
                         Collective::None,
                         isStrongerThanMonotonic(Ordering),
                         Accesses,
                         OperationScope::Thread};
}

std::optional<DeviceOperation> classify(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return classifyCall(*Call);
  if (!I.isAtomic())
    return std::nullopt;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return classifyAtomic(I, Load->getOrdering(), OperationAccess::ReadsFirst);
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return classifyAtomic(I, Store->getOrdering(), OperationAccess::Other);
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return classifyAtomic(I, RMW->getOrdering(), OperationAccess::UpdatesFirst);
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return classifyAtomic(I, Exchange->getMergedOrdering(), OperationAccess::UpdatesFirst);
  return classifyAtomic(I, cast<FenceInst>(I).getOrdering(), OperationAccess::None);
}

bool isOperation(const Instruction &I, OperationKind Kind) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && Operation->Kind == Kind;
}

bool isBlockBarrierOfAll(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && Operation->Kind == OperationKind::Barrier &&
         Operation->Scope == OperationScope::Block && Operation->Reached >= Collective::All;
}

bool concernsCluster(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && Operation->Scope == OperationScope::Cluster;
}

} // namespace gpuprune
