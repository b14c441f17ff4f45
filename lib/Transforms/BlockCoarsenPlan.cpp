//===- BlockCoarsenPlan.cpp - What coarsening a kernel replicates -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockCoarsenPlan.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static constexpr Intrinsic::ID BlockIndexIntrinsic[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
static constexpr Intrinsic::ID GridSizeIntrinsic[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                                      Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

/// Operations that all threads of a block or warp make together and that have
/// no operand of a replica's own: one serves all replicas.
static bool isSynchronisation(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  return any_of(ArrayRef<StringRef>{"llvm.nvvm.barrier.", "llvm.nvvm.bar.", "llvm.nvvm.membar.",
                                    "llvm.nvvm.fence.", "llvm.nvvm.nanosleep", "llvm.trap"},
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// Whether a call may be made once for all replicas or once a replica.
static bool isSupported(const IntrinsicInst &I) {
  return I.doesNotAccessMemory() || I.onlyReadsMemory() || I.onlyAccessesInaccessibleMemory() ||
         I.isAssumeLikeIntrinsic() || isa<MemIntrinsic>(I) || isSynchronisation(I);
}

static Verdict checkCall(const CallBase &Call) {
  if (Call.isInlineAsm())
    return Refusal::at("InlineAsm", Call, "what inline assembly does is not known");
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Intrinsic || Call.cannotDuplicate())
    return Refusal::at("Call", Call, "a call that was not inlined may do what a block must do by itself");
  if (Intrinsic->getCalledFunction()->getName().contains("cluster"))
    return Refusal::at("Cluster", Call, "thread block clusters tie a block to its neighbours");
  if (!isSupported(*Intrinsic))
    return Refusal::at("UnsupportedIntrinsic", Call, "this operation cannot be made once a replica");
  return std::nullopt;
}

/// What refuses a kernel whether or not it depends on the block index.
static Verdict checkInstruction(const Instruction &I) {
  if (I.isVolatile())
    return Refusal::at("Volatile", I, "volatile accesses may wait for another block");
  bool IsAtomicAccess = isa<LoadInst, StoreInst>(I) && I.isAtomic();
  if (IsAtomicAccess)
    return Refusal::at("AtomicAccess", I, "atomic loads and stores may wait for another block");
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return checkCall(*Call);
  return std::nullopt;
}

static bool isShared(const Value *V) {
  const auto *Variable = dyn_cast<GlobalVariable>(V);
  return Variable && Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Atomic operations on global memory happen once a logical block even where
/// no operand differs.
static bool differsByItself(const Instruction &I) {
  if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(accessedPointer(I), Objects, nullptr, /*MaxLookup=*/0);
  return !all_of(Objects, isShared);
}

/// The pointer \p I writes through, or nullptr.
static Value *writtenPointer(const Instruction &I) {
  if (const auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return Mem->getRawDest();
  return I.mayWriteToMemory() ? accessedPointer(I) : nullptr;
}

namespace {

/// Everything that depends on the block index: through operands, and through
/// shared arrays and local variables that such values are stored to.
class DependenceClosure {
public:
  DependenceClosure(Function &F, BlockCoarsenPlan &Plan) : F(F), Plan(Plan) {}
  Verdict run();

private:
  Function &F;
  BlockCoarsenPlan &Plan;
  /// Memory of a thread or block alone: shared arrays, local variables, the
  /// kernel's own copies of parameters passed by value.
  DenseMap<Value *, ObjectUses> Objects;
  SetVector<Value *> DependentArrays;
  SmallVector<Instruction *, 32> Worklist;

  Verdict collectObjects();
  void add(Instruction *I);
  void addUsers(Instruction &I);
  Verdict addWrittenObjects(Instruction &I);
  Verdict addWrittenObject(Instruction &I, Value &Object);
  Verdict visit(Instruction &I);
  Verdict planArrays();
};

} // namespace

Verdict DependenceClosure::collectObjects() {
  SetVector<Value *> Found;
  for (Argument &Parameter : F.args())
    if (Parameter.hasByValAttr())
      Found.insert(&Parameter);
  for (Instruction &I : instructions(F)) {
    if (isa<AllocaInst>(I))
      Found.insert(&I);
    for (Value *Operand : I.operands())
      if (isShared(Operand))
        Found.insert(Operand);
  }
  for (Value *Object : Found)
    if (Verdict Refused = collectUses(*Object, F, Objects[Object]))
      return Refused;
  return std::nullopt;
}

void DependenceClosure::add(Instruction *I) {
  if (Plan.Replicated.insert(I))
    Worklist.push_back(I);
}

void DependenceClosure::addUsers(Instruction &I) {
  for (User *U : I.users())
    add(cast<Instruction>(U));
}

static bool mayBeGlobalMemory(const Value &Object) {
  unsigned Space = Object.getType()->isPointerTy() ? Object.getType()->getPointerAddressSpace() : 0;
  return Space == NVPTXAS::ADDRESS_SPACE_GENERIC || Space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
}

/// \p I writes \p Object, and what or where depends on the block index.
Verdict DependenceClosure::addWrittenObject(Instruction &I, Value &Object) {
  auto Known = Objects.find(&Object);
  if (Known == Objects.end()) {
    if (mayBeGlobalMemory(Object))
      return std::nullopt;
    return Refusal::at("UnknownObject", I, "it is not known which shared or local variable this writes");
  }
  if (isa<Argument>(Object))
    return Refusal::at("ParameterWritten", I,
                       "the kernel changes its copy of a parameter differently in each block");
  if (auto *Local = dyn_cast<AllocaInst>(&Object))
    add(Local);
  else if (DependentArrays.insert(&Object))
    for (Instruction *Access : Known->second.Accesses)
      add(Access);
  return std::nullopt;
}

Verdict DependenceClosure::addWrittenObjects(Instruction &I) {
  Value *Pointer = writtenPointer(I);
  if (!Pointer)
    return std::nullopt;
  SmallVector<const Value *, 4> Written;
  getUnderlyingObjects(Pointer, Written, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Written)
    if (Verdict Refused = addWrittenObject(I, *const_cast<Value *>(Object)))
      return Refused;
  return std::nullopt;
}

Verdict DependenceClosure::visit(Instruction &I) {
  if (I.isTerminator())
    return Refusal::at("DependentControl", I, "which way this goes depends on the block index");
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I); Intrinsic && isSynchronisation(*Intrinsic))
    return Refusal::at("DependentBarrier", I,
                       "an operand of this synchronisation depends on the block index");
  addUsers(I);
  return addWrittenObjects(I);
}

Verdict DependenceClosure::planArrays() {
  for (Value *Array : DependentArrays) {
    ObjectUses &Uses = Objects[Array];
    if (Verdict Refused = canPrivatise(Uses, Plan.Layout))
      return Refused;
    Plan.Privatised.push_back(std::move(Uses));
  }
  return std::nullopt;
}

Verdict DependenceClosure::run() {
  if (Verdict Refused = collectObjects())
    return Refused;
  for (Instruction *Read : Plan.BlockIndexReads)
    addUsers(*Read);
  for (Instruction &I : instructions(F))
    if (differsByItself(I))
      add(&I);
  while (!Worklist.empty())
    if (Verdict Refused = visit(*Worklist.pop_back_val()))
      return Refused;
  return planArrays();
}

Verdict planBlockCoarsening(Function &F, BlockCoarsenPlan &Plan) {
  if (F.hasFnAttribute("nvvm.cluster_dim") || F.hasFnAttribute("nvvm.blocksareclusters"))
    return Refusal::inFunction("Cluster", F, "the kernel is launched in thread block clusters");
  for (Instruction &I : instructions(F)) {
    if (Verdict Refused = checkInstruction(I))
      return Refused;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    if (!Intrinsic)
      continue;
    if (Intrinsic->getIntrinsicID() == BlockIndexIntrinsic[Plan.Dimension])
      Plan.BlockIndexReads.push_back(&I);
    else if (Intrinsic->getIntrinsicID() == GridSizeIntrinsic[Plan.Dimension])
      Plan.GridSizeReads.push_back(&I);
  }
  return DependenceClosure(F, Plan).run();
}

} // namespace gpuprune
