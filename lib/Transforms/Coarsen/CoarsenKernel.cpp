//===- CoarsenKernel.cpp - Coarsens a kernel, or leaves it as it is ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Coarsening.h"
#include "Facts/BlockReductions.h"
#include "Facts/LanesThatEnded.h"
#include "FastPath.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/SizeLimit.h"
#include "LanesOfReplicas.h"
#include "OneByOne.h"
#include "Prepare/MemoryCopies.h"
#include "PrivateShared.h"
#include "Replicator.h"
#include "SplitLoops.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/InlineCalls.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

uint64_t Coarsening::replicas() const {
  uint64_t Product = 1;
  for (unsigned F : Factor)
    Product = SaturatingMultiply<uint64_t>(Product, F);
  return Product;
}

Intrinsic::ID Coarsening::indexRegister(unsigned Dimension) const {
  return registerIntrinsic(blocks() ? RegisterFamily::BlockIndex : RegisterFamily::ThreadIndex, Dimension);
}

Intrinsic::ID Coarsening::extentRegister(unsigned Dimension) const {
  return registerIntrinsic(blocks() ? RegisterFamily::GridExtent : RegisterFamily::BlockExtent, Dimension);
}

ReplicaIndices::ReplicaIndices(IRBuilder<> &B, const Coarsening &C, unsigned Dimension, Value &Physical,
                               Untouched &Skip)
    : B(B), C(C), First(&Physical) {
  if (C.Order == ReplicaOrder::Strided) {
    Stride = B.CreateIntrinsic(C.extentRegister(Dimension), {});
    Skip.Reads.insert(cast<Instruction>(Stride));
    return;
  }
  First = B.CreateMul(&Physical, B.getInt32(C.Factor[Dimension]), C.blocks() ? "block.first" : "thread.first",
                      /*HasNUW=*/true, /*HasNSW=*/true);
}

Value *ReplicaIndices::at(Value *R) const {
  Value *Distance = Stride ? B.CreateMul(R, Stride, "distance", true, true) : R;
  return B.CreateAdd(First, Distance, C.blocks() ? "block.replica" : "thread.replica", true, true);
}

/// How many instructions the kernel has once \p Plan is carried out.
static uint64_t replicatedSize(const Function &F, const ReplicaPlan &Plan) {
  uint64_t Size =
      SaturatingMultiplyAdd<uint64_t>(Plan.Factor, Plan.IndexReads.size() + 1, F.getInstructionCount());
  return SaturatingMultiplyAdd<uint64_t>(Plan.Factor - 1, Plan.Replicated.size(), Size);
}

namespace {

/// The transformation of one kernel, on a copy of it.
class KernelCoarsener {
public:
  /// \p Contract is what the kernel is to have, \p Divisor by what its grid is divided so far.
  /// Its last hidden parameter is left out again where it is new and nothing needs it.
  KernelCoarsener(Function &Author, const Coarsening &C, LaunchContract &Contract, size_t NewParameters,
                  const Dim3 &Divisor, PlanWatcher Watch);
  Verdict run();
  /// Where nothing is refused, the kernel afterwards.
  Function &kernel() { return *Kernel; }

private:
  Function &Author;
  const Coarsening &C;
  LaunchContract &Contract;
  PlanWatcher Watch;
  bool IsSharedBytesNew;
  Dim3 Divisor;
  Function &Copy;
  Function *Kernel;
  Untouched Skip;
  TouchedArrays Arrays;
  DynamicMemory Dynamic;
  bool HasJointSum = false;

  Verdict transform();
  Verdict runAllOneByOne(BasicBlock *Return);
  Verdict planDimension(unsigned Dimension, ReplicaPlan &Plan);
  Verdict coarsenDimension(unsigned Dimension);
  size_t dropSpareParameter();
  void removeUnusedArrays();
};

} // namespace

/// What the last \p Count of \p Hidden are called.
static SmallVector<StringRef, 4> namesOfLast(size_t Count, ArrayRef<HiddenParameter> Hidden) {
  SmallVector<StringRef, 4> Names;
  for (HiddenParameter Parameter : Hidden.take_back(Count))
    Names.push_back(hiddenParameterName(Parameter));
  return Names;
}

KernelCoarsener::KernelCoarsener(Function &Author, const Coarsening &C, LaunchContract &Contract,
                                 size_t NewParameters, const Dim3 &Divisor, PlanWatcher Watch)
    : Author(Author), C(C), Contract(Contract), Watch(Watch),
      IsSharedBytesNew(NewParameters > 0 && Contract.Hidden.back() == HiddenParameter::SharedBytes),
      Divisor(Divisor), Copy(copyKernel(Author, ".coarsened", namesOfLast(NewParameters, Contract.Hidden))),
      Kernel(&Author), Dynamic(dynamicMemoryOf(Copy, Contract)) {}

Verdict KernelCoarsener::planDimension(unsigned Dimension, ReplicaPlan &Plan) {
  Plan.Dimension = Dimension;
  Plan.Factor = C.Factor[Dimension];
  if (Verdict Refused = planReplicas(Copy, C, Skip, Plan))
    return Refused;
  if (uint64_t Size = replicatedSize(Copy, Plan); Size > LargestBody)
    return Refusal::inFunction(
        RefusalKind::TooLarge, Copy,
        formatv("the kernel would have {0} instructions, more than {1}", Size, LargestBody));
  return std::nullopt;
}

Verdict KernelCoarsener::coarsenDimension(unsigned Dimension) {
  ReplicaPlan Plan;
  if (Verdict Refused = planDimension(Dimension, Plan))
    return Refused;
  HasJointSum |= !Plan.Joint.Arrays.empty();
  Watch(Copy, Skip, Plan);
  bool IsLast = all_of(ArrayRef(C.Factor).take_front(Dimension), [](unsigned F) { return F == 1; });
  if (C.JointSums && IsLast && !HasJointSum)
    return Plan.Joint.WhyNot;
  replicate(Copy, C, Plan, Skip, Arrays, Dynamic);
  return std::nullopt;
}

/// The extents still have to read as the author's.
Verdict KernelCoarsener::runAllOneByOne(BasicBlock *Return) {
  if (Verdict Refused = checkOneByOne(Copy, C))
    return Refused;
  if (Verdict Refused = checkNoLaneEnds(Copy))
    return Refused;
  if (C.replicas() > std::numeric_limits<int32_t>::max())
    return Refusal::inFunction(RefusalKind::TooLarge, Copy,
                               formatv("there would be {0} replicas, too many to number", C.replicas()));
  BasicBlock *First = splitVariables(Copy);
  SmallVector<BasicBlock *, 16> Body;
  for (BasicBlock &BB : Copy)
    if (!BB.isEntryBlock() && &BB != Return)
      Body.push_back(&BB);
  BasicBlock *Loop = runOneByOne(Copy, C, Body, First, Return, Skip);
  Copy.getEntryBlock().getTerminator()->replaceSuccessorWith(First, Loop);
  return std::nullopt;
}

Verdict KernelCoarsener::transform() {
  inlineCalls(Copy);
  returnInsteadOfExit(Copy);
  if (C.blocks() && !C.OneByOne)
    lowerCopiesOfShared(Copy);
  sharedUsesToInstructions(Copy);
  if (C.blocks() && !C.OneByOne) {
    uniteDynamicShared(Copy);
    if (C.Layout != SharedLayout::Blocked)
      flattenFields(Copy);
  }
  if (Verdict Refused = checkLegality(Copy, C))
    return Refused;
  if (!C.blocks())
    reduceForAllReplicas(Copy);
  GridGuard Grid = guardGrid(Copy, C, Contract, Divisor);
  BasicBlock *Return = unifyReturns(Copy);
  if (C.OneByOne) {
    if (Verdict Refused = runAllOneByOne(Return))
      return Refused;
  } else {
    if (Verdict Refused = checkLanesOfReplicas(Copy, C, Divisor, Skip))
      return Refused;
    simplifyLoops(Copy, Skip);
    addFastPath(Copy, C, Grid, Return, Skip);
    if (C.SplitLoops)
      splitLoops(Copy, C, Skip);
  }
  for (unsigned Dimension : {2u, 1u, 0u})
    if (C.Factor[Dimension] > 1)
      if (Verdict Refused = coarsenDimension(Dimension))
        return Refused;
  return askForCopies(Copy, Dynamic, Contract);
}

/// Returns how many are to be left out.
size_t KernelCoarsener::dropSpareParameter() {
  if (!IsSharedBytesNew || !Copy.getArg(Copy.arg_size() - 1)->use_empty())
    return 0;
  Contract.Hidden.pop_back();
  return 1;
}

bool hasAtomics(const Module &M, function_ref<bool(const AtomicRMWInst &)> Takes) {
  auto IsTaken = [&](const Instruction &I) {
    const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
    return Atomic && Takes(*Atomic);
  };
  return any_of(M, [&](const Function &F) { return any_of(instructions(F), IsTaken); });
}

void returnInsteadOfExit(Function &F) {
  auto IsExit = [](const Instruction &I) { return isOperation(I, OperationKind::Exit); };
  for (BasicBlock &BB : F) {
    auto Exit = find_if(BB, IsExit);
    if (Exit == BB.end())
      continue;
    DebugLoc Where = Exit->getDebugLoc();
    changeToUnreachable(&*Exit);
    Instruction *Unreachable = BB.getTerminator();
    ReturnInst::Create(F.getContext(), nullptr, Unreachable->getIterator())->setDebugLoc(Where);
    Unreachable->eraseFromParent();
  }
  EliminateUnreachableBlocks(F);
}

void restoreForm(Function &F) {
  for (BasicBlock &BB : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&BB);
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  for (Loop *L : Loops) {
    simplifyLoop(L, &DT, &Loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L, DT, &Loops, nullptr);
  }
}

void KernelCoarsener::removeUnusedArrays() {
  for (WeakVH &Array : Arrays)
    if (auto *Variable = cast_or_null<GlobalVariable>(Array)) {
      Variable->removeDeadConstantUsers();
      if (Variable->use_empty() && Variable->isDiscardableIfUnused())
        Variable->eraseFromParent();
    }
}

Verdict KernelCoarsener::run() {
  Verdict Refused = transform();
  answerForAllReplicas(Copy);
  if (!Refused) {
    restoreForm(Copy);
    Kernel = &takeBody(Author, Copy, dropSpareParameter());
  }
  Copy.eraseFromParent();
  removeUnusedArrays();
  return Refused;
}

void forgetAssumptions(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M)
    if (auto *Assumptions = isKernel(F) ? FAM.getCachedResult<AssumptionAnalysis>(F) : nullptr)
      Assumptions->clear();
}

/// "X,Y,Z", of which trailing ones may be missing.
static std::optional<std::array<uint64_t, 3>> parseBound(StringRef Text) {
  SmallVector<StringRef, 3> Texts;
  Text.split(Texts, ',');
  std::array<uint64_t, 3> Bound{1, 1, 1};
  if (Texts.size() > Bound.size())
    return std::nullopt;
  for (auto [Extent, Part] : zip(Bound, Texts))
    if (Part.trim().getAsInteger(10, Extent) || Extent == 0 || Extent > UINT16_MAX)
      return std::nullopt;
  return Bound;
}

/// The bounds on the threads of a block that the kernel has after coarsening them, by
/// attribute. One that the block is to be equal to has to divide.
static Verdict divideBounds(const Function &F, const Coarsening &C,
                            SmallVectorImpl<std::pair<StringRef, std::string>> &Divided) {
  for (StringRef Name : {"nvvm.reqntid", "nvvm.maxntid"}) {
    if (!F.hasFnAttribute(Name))
      continue;
    StringRef Text = F.getFnAttribute(Name).getValueAsString();
    std::optional<std::array<uint64_t, 3>> Bound = parseBound(Text);
    bool Exact = Name == "nvvm.reqntid";
    for (unsigned D = 0; Exact && Bound && D < 3; ++D)
      if ((*Bound)[D] % C.Factor[D] != 0)
        Bound.reset();
    if (!Bound)
      return Refusal::inFunction(RefusalKind::BadLaunchContract, F,
                                 formatv("the block of \"{0}\"=\"{1}\" cannot be divided by {2},{3},{4}",
                                         Name, Text, C.Factor[0], C.Factor[1], C.Factor[2]));
    auto &[X, Y, Z] = *Bound;
    // maxntid bounds the product: a block may exceed it in one dimension.
    Divided.emplace_back(
        Name, Exact ? formatv("{0},{1},{2}", X / C.Factor[0], Y / C.Factor[1], Z / C.Factor[2]).str()
                    : std::to_string(divideCeil(X * Y * Z, C.replicas())));
  }
  return std::nullopt;
}

/// The contract that the kernel has once it is coarsened.
static Expected<LaunchContract> coarsenedContract(const LaunchContract &Before, const Coarsening &C) {
  Dim3 Factors{C.Factor[0], C.Factor[1], C.Factor[2]};
  if (!C.blocks())
    return Before.blockDividedBy(Factors);
  Expected<LaunchContract> After = Before.dividedBy(Factors);
  if (!After)
    return After.takeError();
  for (unsigned D = 0; D < 3; ++D) {
    if (C.Factor[D] == 1)
      continue;
    // Rounded up in one step and exact in the other is nothing that a host could be told in one number.
    if (Before.GridDivisor[D] > 1 && Before.takesAnyGrid(D) != C.AnyGrid)
      return makeError(ErrorKind::Refused,
                       formatv("the grid is coarsened in {0} with grid={1} already, and all factors of a "
                               "dimension have to be the same in that; say grid={1} here, too",
                               "xyz"[D], C.AnyGrid ? "divisible" : "any"));
    if (C.AnyGrid && !Before.takesAnyGrid(D))
      After->Hidden.push_back(HiddenParameter(D));
  }
  return After;
}

Verdict coarsenKernel(Function &F, const Coarsening &C, PlanWatcher Watch) {
  if (C.replicas() == 1)
    return std::nullopt;
  Expected<LaunchContract> Before = readLaunchContract(F);
  if (!Before)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Before.takeError()));
  if (Before->PersistentBlocks && C.blocks())
    return Refusal::inFunction(
        RefusalKind::BadLaunchContract, F,
        "its blocks do several of the author's already, as many as the device decides; "
        "write gpu-persistent behind it");
  if (Before->SharedArrays)
    return Refusal::inFunction(
        RefusalKind::BadLaunchContract, F,
        "its arrays have been moved to dynamic shared memory, in front of the author's; "
        "coarsen before the end of the pipeline");
  Expected<LaunchContract> Contract = coarsenedContract(*Before, C);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  SmallVector<std::pair<StringRef, std::string>, 2> Bounds;
  if (!C.blocks())
    if (Verdict Refused = divideBounds(F, C, Bounds))
      return Refused;
  if (C.blocks() && !C.OneByOne && hasDynamicShared(*F.getParent()) &&
      !Contract->hidden(HiddenParameter::SharedBytes))
    Contract->Hidden.push_back(HiddenParameter::SharedBytes);
  EliminateUnreachableBlocks(F);
  sharedUsesToInstructions(F);
  KernelCoarsener Coarsener(F, C, *Contract, Contract->Hidden.size() - Before->Hidden.size(),
                            Before->GridDivisor, Watch);
  if (Verdict Refused = Coarsener.run())
    return Refused;
  writeLaunchContract(Coarsener.kernel(), *Contract);
  for (const auto &[Name, Value] : Bounds)
    Coarsener.kernel().addFnAttr(Name, Value);
  return std::nullopt;
}

} // namespace gpuprune
