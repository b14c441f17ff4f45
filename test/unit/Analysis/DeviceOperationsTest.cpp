//===- DeviceOperationsTest.cpp - What operations of the device do --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/GlobPattern.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace llvm;
using namespace gpuprune;

namespace {

using Kind = OperationKind;
using Scope = OperationScope;
using Reached = Collective;
using Access = OperationAccess;

/// A function to put instructions in.
class DeviceOperations : public testing::Test {
protected:
  LLVMContext Context;
  Module M{"operations", Context};
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                                 GlobalValue::ExternalLinkage, "kernel", M);
  IRBuilder<> B{BasicBlock::Create(Context, "", F)};
  Value *Pointer = PoisonValue::get(B.getPtrTy());

  /// A call of the intrinsic, as passes see it. Which of its overloads it is does not matter.
  std::optional<DeviceOperation> ofIntrinsic(Intrinsic::ID ID) {
    auto *T = FunctionType::get(B.getVoidTy(), false);
    Function *Callee = Function::Create(T, GlobalValue::ExternalLinkage, Intrinsic::getBaseName(ID), M);
    CallInst *Call = B.CreateCall(T, Callee);
    EXPECT_EQ(Callee->getIntrinsicID(), ID) << Intrinsic::getBaseName(ID).str();
    std::optional<DeviceOperation> Result = classify(*Call);
    Call->eraseFromParent();
    Callee->eraseFromParent();
    return Result;
  }
  std::optional<DeviceOperation> named(StringRef Name) {
    return ofIntrinsic(Intrinsic::lookupIntrinsicID(("llvm.nvvm." + Name).str()));
  }
  CallInst *call(StringRef Name) {
    auto *T = FunctionType::get(B.getVoidTy(), false);
    return B.CreateCall(M.getOrInsertFunction(Name, T));
  }
};

const std::map<std::string, Intrinsic::ID> &nvvmIntrinsics() {
  static const std::map<std::string, Intrinsic::ID> All = [] {
    std::map<std::string, Intrinsic::ID> Found;
    for (Intrinsic::ID ID = 1; ID != Intrinsic::num_intrinsics; ++ID)
      if (StringRef Name = Intrinsic::getBaseName(ID); Name.consume_front("llvm.nvvm."))
        Found[Name.str()] = ID;
    return Found;
  }();
  return All;
}

} // namespace

TEST_F(DeviceOperations, SaysWhatEachOperationDoes) {
  const std::pair<const char *, DeviceOperation> Expected[] = {
      {"barrier.cta.sync.aligned.all",
       {Kind::Barrier, Scope::Block, Reached::Aligned, true, Access::None, Scope::Thread}},
      {"barrier.cta.sync.all",
       {Kind::Barrier, Scope::Block, Reached::All, true, Access::None, Scope::Thread}},
      {"barrier.cta.sync.aligned.count",
       {Kind::Barrier, Scope::Block, Reached::Some, true, Access::None, Scope::Thread}},
      {"barrier.cta.arrive.count",
       {Kind::Barrier, Scope::Block, Reached::Some, true, Access::None, Scope::Thread}},
      {"barrier.cta.red.and.aligned.all",
       {Kind::Barrier, Scope::Block, Reached::Aligned, true, Access::None, Scope::Block}},
      {"barrier.cta.red.popc.all",
       {Kind::Barrier, Scope::Block, Reached::All, true, Access::None, Scope::Block}},
      {"barrier.cta.red.or.count",
       {Kind::Barrier, Scope::Block, Reached::Some, true, Access::None, Scope::Block}},
      {"barrier.cluster.arrive",
       {Kind::Barrier, Scope::Cluster, Reached::All, true, Access::None, Scope::Thread}},
      {"barrier.cluster.arrive.relaxed",
       {Kind::Barrier, Scope::Cluster, Reached::All, false, Access::None, Scope::Thread}},
      {"barrier.cluster.arrive.relaxed.aligned",
       {Kind::Barrier, Scope::Cluster, Reached::Aligned, false, Access::None, Scope::Thread}},
      {"barrier.cluster.wait.aligned",
       {Kind::Barrier, Scope::Cluster, Reached::Aligned, true, Access::None, Scope::Thread}},
      {"bar.warp.sync", {Kind::Barrier, Scope::Warp, Reached::Some, true, Access::None, Scope::Thread}},
      {"mbarrier.init.shared",
       {Kind::MemoryBarrier, Scope::Block, Reached::None, false, Access::WritesFirst, Scope::Thread}},
      {"mbarrier.arrive.shared",
       {Kind::MemoryBarrier, Scope::Block, Reached::None, true, Access::UpdatesFirst, Scope::Thread}},
      {"mbarrier.arrive.scope.cta.space.cta",
       {Kind::MemoryBarrier, Scope::Block, Reached::None, true, Access::UpdatesFirst, Scope::Thread}},
      {"mbarrier.arrive.relaxed.scope.cta.space.cta",
       {Kind::MemoryBarrier, Scope::Block, Reached::None, false, Access::UpdatesFirst, Scope::Thread}},
      {"mbarrier.arrive.scope.cta.space.cluster",
       {Kind::MemoryBarrier, Scope::Cluster, Reached::None, true, Access::UpdatesFirst, Scope::Thread}},
      {"mbarrier.pending.count",
       {Kind::MemoryBarrier, Scope::Block, Reached::None, false, Access::None, Scope::Thread}},
      {"shfl.sync.bfly.i32", {Kind::Shuffle, Scope::Warp, Reached::Some, false, Access::None, Scope::Thread}},
      {"shfl.down.f32", {Kind::Shuffle, Scope::Warp, Reached::Some, false, Access::None, Scope::Thread}},
      {"vote.ballot.sync", {Kind::Vote, Scope::Warp, Reached::Some, false, Access::None, Scope::Warp}},
      {"match.all.sync.i32p", {Kind::Vote, Scope::Warp, Reached::Some, false, Access::None, Scope::Warp}},
      {"match.any.sync.i64", {Kind::Vote, Scope::Warp, Reached::Some, false, Access::None, Scope::Thread}},
      {"redux.sync.add", {Kind::Vote, Scope::Warp, Reached::Some, false, Access::None, Scope::Warp}},
      {"elect.sync", {Kind::Vote, Scope::Warp, Reached::Some, false, Access::None, Scope::Thread}},
      {"wmma.m16n16k16.load.a.row.stride.f16",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::ReadsFirst, Scope::Thread}},
      {"wmma.m16n16k16.store.d.row.stride.f32",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::WritesFirst, Scope::Thread}},
      {"wmma.m16n16k16.mma.row.row.f32.f32",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::None, Scope::Thread}},
      {"mma.m16n8k16.row.col.f32.f32",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::None, Scope::Thread}},
      {"ldmatrix.sync.aligned.m8n8.x4.b16",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::ReadsFirst, Scope::Thread}},
      {"stmatrix.sync.aligned.m8n8.x4.b16",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::WritesFirst, Scope::Thread}},
      {"wgmma.fence.sync.aligned",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, true, Access::None, Scope::Thread}},
      {"wgmma.wait_group.sync.aligned",
       {Kind::Matrix, Scope::Warp, Reached::Aligned, false, Access::None, Scope::Thread}},
      {"tcgen05.fence.after.thread.sync",
       {Kind::TensorMemory, Scope::Block, Reached::None, true, Access::None, Scope::Thread}},
      {"tcgen05.wait.ld",
       {Kind::TensorMemory, Scope::Block, Reached::Some, false, Access::Other, Scope::Thread}},
      {"setmaxnreg.inc.sync.aligned.u32",
       {Kind::RegisterBudget, Scope::Warp, Reached::Aligned, false, Access::None, Scope::Thread}},
      {"cp.async.ca.shared.global.4",
       {Kind::AsyncCopy, Scope::Thread, Reached::None, false, Access::WritesFirst, Scope::Thread}},
      {"cp.async.cg.shared.global.16.s",
       {Kind::AsyncCopy, Scope::Thread, Reached::None, false, Access::WritesFirst, Scope::Thread}},
      {"cp.async.commit.group",
       {Kind::CopyGroup, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"cp.async.wait.group",
       {Kind::CopyGroup, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"cp.async.wait.all",
       {Kind::CopyGroup, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"cp.async.mbarrier.arrive.shared",
       {Kind::CopyArrival, Scope::Block, Reached::None, false, Access::UpdatesFirst, Scope::Thread}},
      {"cp.async.bulk.wait.group.read",
       {Kind::BulkCopy, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"cp.async.bulk.shared.cta.to.global",
       {Kind::BulkCopy, Scope::Block, Reached::None, false, Access::Other, Scope::Thread}},
      {"cp.async.bulk.global.to.shared.cluster",
       {Kind::BulkCopy, Scope::Cluster, Reached::None, false, Access::Other, Scope::Thread}},
      {"membar.cta", {Kind::Fence, Scope::Block, Reached::None, true, Access::None, Scope::Thread}},
      {"membar.gl", {Kind::Fence, Scope::Grid, Reached::None, true, Access::None, Scope::Thread}},
      {"membar.sys", {Kind::Fence, Scope::System, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.sc.cluster", {Kind::Fence, Scope::Cluster, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.proxy.tensormap_generic.acquire.cta",
       {Kind::Fence, Scope::Block, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.proxy.tensormap_generic.release.gpu",
       {Kind::Fence, Scope::Grid, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.proxy.tensormap_generic.release.sys",
       {Kind::Fence, Scope::System, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.proxy.async.shared_cta",
       {Kind::Fence, Scope::Block, Reached::None, true, Access::None, Scope::Thread}},
      {"fence.proxy.alias", {Kind::Fence, Scope::System, Reached::None, true, Access::None, Scope::Thread}},
      {"atomic.add.gen.f.cta",
       {Kind::Atomic, Scope::Block, Reached::None, false, Access::UpdatesFirst, Scope::Thread}},
      {"atomic.cas.gen.i.sys",
       {Kind::Atomic, Scope::System, Reached::None, false, Access::UpdatesFirst, Scope::Thread}},
      {"read.ptx.sreg.tid.x",
       {Kind::SpecialRegister, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"read.ptx.sreg.ctaid.y",
       {Kind::SpecialRegister, Scope::Block, Reached::None, false, Access::None, Scope::Block}},
      {"read.ptx.sreg.ntid.z",
       {Kind::SpecialRegister, Scope::Grid, Reached::None, false, Access::None, Scope::Grid}},
      {"read.ptx.sreg.clusterid.x",
       {Kind::SpecialRegister, Scope::Cluster, Reached::None, false, Access::None, Scope::Cluster}},
      {"read.ptx.sreg.cluster.ctaid.w",
       {Kind::SpecialRegister, Scope::Cluster, Reached::None, false, Access::None, Scope::Thread}},
      {"read.ptx.sreg.envreg3",
       {Kind::SpecialRegister, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"activemask", {Kind::ActiveMask, Scope::Warp, Reached::None, false, Access::None, Scope::Thread}},
      {"mapa", {Kind::ClusterAddress, Scope::Cluster, Reached::None, false, Access::None, Scope::Thread}},
      {"getctarank.shared.cluster",
       {Kind::ClusterAddress, Scope::Cluster, Reached::None, false, Access::None, Scope::Thread}},
      {"isspacep.shared.cluster",
       {Kind::ClusterAddress, Scope::Cluster, Reached::None, false, Access::None, Scope::Thread}},
      {"clusterlaunchcontrol.try_cancel.async.shared",
       {Kind::ClusterLaunch, Scope::Cluster, Reached::None, false, Access::Other, Scope::Thread}},
      {"clusterlaunchcontrol.query_cancel.is_canceled",
       {Kind::ClusterLaunch, Scope::Cluster, Reached::None, false, Access::None, Scope::Thread}},
      {"sust.b.1d.i32.clamp",
       {Kind::Surface, Scope::Grid, Reached::None, false, Access::Other, Scope::Thread}},
      {"prefetch.global.L2",
       {Kind::Prefetch, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"prefetchu.L1", {Kind::Prefetch, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"griddepcontrol.wait",
       {Kind::DependentLaunch, Scope::Grid, Reached::None, true, Access::None, Scope::Thread}},
      {"griddepcontrol.launch.dependents",
       {Kind::DependentLaunch, Scope::Grid, Reached::None, false, Access::None, Scope::Thread}},
      {"nanosleep", {Kind::Sleep, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
      {"exit", {Kind::Exit, Scope::Thread, Reached::None, false, Access::None, Scope::Thread}},
  };
  for (const auto &[Name, Operation] : Expected) {
    SCOPED_TRACE(Name);
    std::optional<DeviceOperation> Found = named(Name);
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->Kind, Operation.Kind);
    EXPECT_EQ(Found->Scope, Operation.Scope);
    EXPECT_EQ(Found->Reached, Operation.Reached);
    EXPECT_EQ(Found->Orders, Operation.Orders);
    EXPECT_EQ(Found->Accesses, Operation.Accesses);
    EXPECT_EQ(Found->UniformOver, Operation.UniformOver);
  }
}

TEST_F(DeviceOperations, EveryRowDecidesAboutSomeIntrinsic) {
  std::set<std::string> Left;
  for (const auto &[Name, ID] : nvvmIntrinsics())
    Left.insert(Name);
#define DEVICE_OPERATION(Pattern, Kind, Scope, Reached, Orders, Accesses, UniformOver)                       \
  {                                                                                                          \
    GlobPattern Row = cantFail(GlobPattern::create(Pattern, 16));                                            \
    EXPECT_GT(std::erase_if(Left, [&](const std::string &Name) { return Row.match(Name); }), 0u) << Pattern; \
  }
#include "gpuprune/Analysis/DeviceOperations.def"
}

TEST_F(DeviceOperations, KnowsWhateverSeveralThreadsMake) {
  for (const auto &[Name, ID] : nvvmIntrinsics()) {
    AttributeSet Attributes = Intrinsic::getFnAttributes(Context, ID);
    // Performance events of a warp change nothing that a program sees.
    if (Attributes.hasAttribute(Attribute::Convergent) && Name != "pm.event.mask") {
      EXPECT_TRUE(ofIntrinsic(ID)) << Name;
    }
  }
}

TEST_F(DeviceOperations, WhatNamesClustersHasTheirScope) {
  for (const auto &[Name, ID] : nvvmIntrinsics())
    if (StringRef(Name).contains("cluster")) {
      std::optional<DeviceOperation> Found = ofIntrinsic(ID);
      EXPECT_TRUE(Found && Found->Scope == Scope::Cluster) << Name;
    }
}

TEST_F(DeviceOperations, WhatAThreadDoesByItselfIsNone) {
  for (const char *Name : {"fma.rn.f", "ldu.global.i", "isspacep.shared", "prmt", "mul.rn.f", "bmsk.clamp"})
    EXPECT_FALSE(named(Name)) << Name;
  EXPECT_FALSE(classify(*call("device_function")));
  EXPECT_FALSE(classify(*call("llvm.assume.like")));
  EXPECT_FALSE(classify(*B.CreateStore(B.getInt32(0), Pointer)));
  EXPECT_FALSE(classify(*B.CreateLoad(B.getInt32Ty(), Pointer, /*isVolatile=*/true)));
  EXPECT_FALSE(classify(*B.CreateRetVoid()));
}

TEST_F(DeviceOperations, CallsOfTheRunTimeSystemAndTraps) {
  EXPECT_TRUE(isOperation(*call("vprintf"), Kind::SystemCall));
  EXPECT_TRUE(isOperation(*call("__assertfail"), Kind::SystemCall));
  EXPECT_TRUE(isOperation(*call("llvm.trap"), Kind::Trap));
  EXPECT_FALSE(isOperation(*call("llvm.trap"), Kind::SystemCall));
  // With a body it is the program's own.
  Function *Own =
      Function::Create(FunctionType::get(B.getVoidTy(), false), GlobalValue::ExternalLinkage, "own", M);
  IRBuilder<>(BasicBlock::Create(Context, "", Own)).CreateRetVoid();
  M.getFunction("vprintf")->setName("other");
  Own->setName("vprintf");
  EXPECT_FALSE(classify(*B.CreateCall(Own)));
}

TEST_F(DeviceOperations, AtomicInstructionsHaveTheirScopeAndOrdering) {
  auto *Update = B.CreateAtomicRMW(AtomicRMWInst::Add, Pointer, B.getInt32(1), Align(4),
                                   AtomicOrdering::Monotonic, Context.getOrInsertSyncScopeID("device"));
  EXPECT_EQ(*classify(*Update), (DeviceOperation{Kind::Atomic, Scope::Grid, Reached::None, false,
                                                 Access::UpdatesFirst, Scope::Thread}));
  auto *Exchange =
      B.CreateAtomicCmpXchg(Pointer, B.getInt32(0), B.getInt32(1), Align(4), AtomicOrdering::AcquireRelease,
                            AtomicOrdering::Acquire, Context.getOrInsertSyncScopeID("block"));
  EXPECT_EQ(*classify(*Exchange), (DeviceOperation{Kind::Atomic, Scope::Block, Reached::None, true,
                                                   Access::UpdatesFirst, Scope::Thread}));
  auto *Load = B.CreateAlignedLoad(B.getInt32Ty(), Pointer, Align(4));
  Load->setAtomic(AtomicOrdering::Acquire);
  EXPECT_EQ(*classify(*Load), (DeviceOperation{Kind::Atomic, Scope::System, Reached::None, true,
                                               Access::ReadsFirst, Scope::Thread}));
  auto *Store = B.CreateAlignedStore(B.getInt32(0), Pointer, Align(4));
  Store->setAtomic(AtomicOrdering::Monotonic, Context.getOrInsertSyncScopeID("cluster"));
  EXPECT_EQ(*classify(*Store), (DeviceOperation{Kind::Atomic, Scope::Cluster, Reached::None, false,
                                                Access::Other, Scope::Thread}));
  auto *Fence = B.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  EXPECT_EQ(*classify(*Fence),
            (DeviceOperation{Kind::Fence, Scope::Thread, Reached::None, true, Access::None, Scope::Thread}));
}

TEST_F(DeviceOperations, SpecialRegistersAreFoundByNameAndByIntrinsic) {
  std::set<StringRef> Names;
  for (const SpecialRegister &Register : specialRegisters()) {
    SCOPED_TRACE(Register.Name.str());
    EXPECT_TRUE(Names.insert(Register.Name).second);
    EXPECT_EQ(specialRegister(Register.Name), &Register);
    auto *Read = B.CreateIntrinsic(Register.ID, {});
    EXPECT_EQ(specialRegister(*Read), &Register);
    EXPECT_TRUE(isOperation(*Read, Kind::SpecialRegister));
    EXPECT_EQ(classify(*Read)->UniformOver, Register.UniformOver);
    // LLVM writes a point for some underscores of PTX.
    std::string Name = Read->getCalledFunction()->getName().drop_front(strlen("llvm.nvvm.")).str();
    StringRef(Name).consume_front("read.ptx.sreg.");
    auto Plain = [](std::string Text) {
      std::replace(Text.begin(), Text.end(), '_', '.');
      return Text;
    };
    std::string Expected = Register.Family == RegisterFamily::WarpSize ? "warpsize" : Register.Name.str();
    EXPECT_TRUE(StringRef(Plain(Name)).ends_with(Plain(Expected))) << Name;
  }
  EXPECT_EQ(specialRegister("tid.w"), nullptr);
  EXPECT_EQ(specialRegister(""), nullptr);
  EXPECT_EQ(specialRegister(*B.CreateRetVoid()), nullptr);
}

TEST_F(DeviceOperations, GeometryIsFoundByFamilyAndDimension) {
  const std::pair<RegisterFamily, StringRef> Families[] = {{RegisterFamily::ThreadIndex, "tid"},
                                                           {RegisterFamily::BlockIndex, "ctaid"},
                                                           {RegisterFamily::BlockExtent, "ntid"},
                                                           {RegisterFamily::GridExtent, "nctaid"}};
  for (const auto &[Family, Name] : Families)
    for (unsigned D = 0; D != 3; ++D) {
      const SpecialRegister *Register = specialRegister((Name + "." + Twine("xyz"[D])).str());
      ASSERT_NE(Register, nullptr);
      EXPECT_TRUE(Register->isGeometry());
      EXPECT_EQ(registerIntrinsic(Family, D), Register->ID);
      auto *Read = B.CreateIntrinsic(Register->ID, {});
      EXPECT_TRUE(readsRegister(*Read, Family, D));
      EXPECT_FALSE(readsRegister(*Read, Family, (D + 1) % 3));
    }
  EXPECT_FALSE(specialRegister("laneid")->isGeometry());
}
