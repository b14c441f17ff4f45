//===- BlockShapeFreedom.cpp - Whether a kernel may have another block ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "Facts/Operations.h"
#include "Facts/PureAssembly.h"
#include "ShapeMemory.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// The line in the kernel: where \p I was inlined, that of the call. A phi has that of what follows it.
static unsigned lineOf(const Instruction &I) {
  const Instruction *Told = &I;
  while (!Told->getDebugLoc() && Told->getNextNode())
    Told = Told->getNextNode();
  const DILocation *At = Told->getDebugLoc().get();
  while (At && At->getInlinedAt())
    At = At->getInlinedAt();
  return At ? At->getLine() : 0;
}

ShapeObstacle obstacleAt(ShapeObstacleKind Kind, const Instruction &I) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS);
  StringRef Shown = StringRef(Text).trim();
  if (size_t End = Shown.find(", !"); End != StringRef::npos)
    Shown = Shown.take_front(End);
  return {Kind, Shown.str(), lineOf(I)};
}

/// Of the block or of its cluster.
static bool usesShared(const Value &V) {
  const auto *Expression = dyn_cast<ConstantExpr>(&V);
  unsigned Space = V.getType()->isPointerTy() ? V.getType()->getPointerAddressSpace() : 0;
  return Space == NVPTXAS::ADDRESS_SPACE_SHARED || Space == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER ||
         (Expression && any_of(Expression->operands(), [](const Value *Of) { return usesShared(*Of); }));
}

/// Its result is the same wherever it is called.
static bool isReflection(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName() == "__nvvm_reflect";
}

static std::optional<ShapeObstacleKind> checkIntrinsic(const IntrinsicInst &I) {
  using Kind = ShapeObstacleKind;
  if (indexRegister(I) || readsRegister(I, RegisterFamily::WarpSize, 0))
    return std::nullopt;
  if (concernsCluster(I))
    return Kind::Cluster;
  if (isOperation(I, OperationKind::SpecialRegister) || isOperation(I, OperationKind::ActiveMask))
    return Kind::SpecialRegister;
  if (isOperation(I, OperationKind::Trap))
    return Kind::Trap;
  if (isSynchronisation(I) || isOperation(I, OperationKind::DependentLaunch))
    return Kind::Synchronisation;
  if (isMadeTogether(I))
    return Kind::WarpOperation;
  if (isOperation(I, OperationKind::Atomic))
    return Kind::Atomic;
  if (I.isAssumeLikeIntrinsic() || I.doesNotAccessMemory() || isa<MemIntrinsic>(I))
    return std::nullopt;
  return Kind::Call;
}

static std::optional<ShapeObstacleKind> checkCall(const CallBase &Call) {
  if (Call.isInlineAsm())
    return isPureAssembly(Call) ? std::nullopt : std::optional(ShapeObstacleKind::InlineAsm);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return checkIntrinsic(*Intrinsic);
  return isReflection(Call) ? std::nullopt : std::optional(ShapeObstacleKind::Call);
}

/// Whether threads may come here in any order, whatever blocks they are in.
static bool commutes(const AtomicRMWInst &I) {
  switch (I.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::FAdd:
    break;
  default:
    return false;
  }
  return I.use_empty() && isForAllBlocks(I);
}

static std::optional<ShapeObstacleKind> checkInstruction(const Instruction &I) {
  using Kind = ShapeObstacleKind;
  if (usesShared(I) || any_of(I.operands(), [](const Value *Operand) { return usesShared(*Operand); }))
    return Kind::SharedMemory;
  if (I.isVolatile())
    return Kind::Volatile;
  if (isa<FenceInst>(I))
    return Kind::Synchronisation;
  if (isa<LoadInst, StoreInst>(I) && I.isAtomic())
    return Kind::AtomicAccess;
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return commutes(*Update) ? std::nullopt : std::optional(Kind::Atomic);
  if (isa<AtomicCmpXchgInst>(I))
    return Kind::Atomic;
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return checkCall(*Call);
  return std::nullopt;
}

static std::optional<ShapeObstacle> checkFunction(const Function &F) {
  if (F.hasFnAttribute("nvvm.reqntid"))
    return ShapeObstacle{ShapeObstacleKind::LaunchBound, "reqntid", 0};
  for (StringRef Name : {"nvvm.cluster_dim", "nvvm.blocksareclusters", "nvvm.maxclusterrank"})
    if (F.hasFnAttribute(Name))
      return ShapeObstacle{ShapeObstacleKind::Cluster, Name.drop_front(5).str(), 0};
  for (const Instruction &I : instructions(F))
    if (std::optional<ShapeObstacleKind> Kind = checkInstruction(I))
      return obstacleAt(*Kind, I);
  return std::nullopt;
}

static bool addsReals(const Instruction &I) {
  const auto *Update = dyn_cast<AtomicRMWInst>(&I);
  return Update && Update->getOperation() == AtomicRMWInst::FAdd;
}

ArgumentBuffers distinctBuffers(const Function &F) {
  ArgumentBuffers Buffers(F.arg_size());
  for (const Argument &A : F.args())
    if (A.getType()->isPointerTy())
      Buffers[A.getArgNo()] = A.getArgNo();
  return Buffers;
}

BlockShapeFreedom findBlockShapeFreedom(Function &F, const ArgumentBuffers &Buffers) {
  BlockShapeFreedom Freedom;
  if (std::optional<LaunchBound> Bound = launchBound(F))
    Freedom.MostThreads = Bound->threads();
  Freedom.Rounds = any_of(instructions(F), addsReals);
  std::optional<ShapeObstacle> OfAll = checkFunction(F);
  if (OfAll) {
    for (DimensionFreedom &Free : Freedom.Dimensions)
      Free.Never = OfAll;
    return Freedom;
  }
  ShapeControl Control(F);
  std::vector<ShapeAccess> Accesses = visibleAccesses(F);
  SmallVector<const Instruction *, 16> Accessing;
  for (const ShapeAccess &Access : Accesses)
    Accessing.push_back(Access.I);
  Control.judge(Freedom, Accessing);
  OfAll = findCommunication(Control, Accesses, Buffers, Freedom);
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    if (const Instruction *Misuse = Control.terms().misuse(D))
      Freedom.Dimensions[D].Never = obstacleAt(ShapeObstacleKind::BlockIndex, *Misuse);
    else
      Freedom.Dimensions[D].Never = OfAll;
  }
  return Freedom;
}

} // namespace gpuprune
