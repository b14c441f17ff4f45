//===- DataFlow.cpp - Where values of a kernel go, through memory too -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DataFlow.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

static constexpr unsigned Generic = NVPTXAS::ADDRESS_SPACE_GENERIC;

/// The functions with a body that \p Call may call; an indirect call may call every
/// such function whose address is taken.
static SmallVector<const Function *, 2> calleesOf(const CallBase &Call) {
  if (Call.isInlineAsm())
    return {};
  if (const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts()))
    return Callee->isDeclaration() ? SmallVector<const Function *, 2>{}
                                   : SmallVector<const Function *, 2>{Callee};
  SmallVector<const Function *, 2> Possible;
  for (const Function &F : *Call.getModule())
    if (!F.isDeclaration() && F.hasAddressTaken() && F.getFunctionType() == Call.getFunctionType())
      Possible.push_back(&F);
  return Possible;
}

DataFlow::DataFlow(const Function &Kernel) : Kernel(Kernel) {
  for (const Argument &A : Kernel.args())
    if (A.getType()->isPointerTy())
      object(&A, spaceOf(A));
  collectFunctions();
  for (const Instruction *I : Instructions) {
    addOperands(*I);
    addAccesses(*I);
  }
  connectMemory();
}

/// Of a pointer argument of a kernel it is global memory, whatever its type says.
unsigned DataFlow::spaceOf(const Value &Base) {
  if (const auto *A = dyn_cast<Argument>(&Base))
    return A->hasByValAttr() ? unsigned(NVPTXAS::ADDRESS_SPACE_PARAM)
                             : unsigned(NVPTXAS::ADDRESS_SPACE_GLOBAL);
  if (isa<AllocaInst>(Base))
    return NVPTXAS::ADDRESS_SPACE_LOCAL;
  return Base.getType()->getPointerAddressSpace();
}

FlowNode &DataFlow::create(const Value *V, bool IsMemory) {
  FlowNode &Node = Nodes.emplace_back();
  Node.V = V;
  Node.IsMemory = IsMemory;
  Node.Index = Nodes.size();
  Root.Next.push_back(&Node);
  return Node;
}

FlowNode &DataFlow::object(const Value *Base, unsigned Space) {
  const auto *Variable = dyn_cast_or_null<GlobalVariable>(Base);
  if (Variable && isDynamicShared(*Variable))
    Base = DynamicShared = DynamicShared ? DynamicShared : Base;
  FlowNode *&Node = Objects[{Base, Space}];
  if (!Node)
    Node = &create(Base, /*IsMemory=*/true);
  return *Node;
}

void DataFlow::collectFunctions() {
  SmallSetVector<const Function *, 4> Reached;
  Reached.insert(&Kernel);
  for (size_t Next = 0; Next != Reached.size(); ++Next)
    for (const Instruction &I : llvm::instructions(*Reached[Next])) {
      Instructions.push_back(&I);
      Values[&I] = &create(&I, /*IsMemory=*/false);
      if (const auto *Call = dyn_cast<CallBase>(&I))
        for (const Function *Callee : calleesOf(*Call)) {
          Reached.insert(Callee);
          Callers[Callee].push_back(Call);
        }
    }
  for (const Function *F : drop_begin(Reached))
    for (const Argument &A : F->args())
      Values[&A] = &create(&A, /*IsMemory=*/false);
}

void DataFlow::addOperands(const Instruction &I) {
  FlowNode &To = of(I);
  const auto *Call = dyn_cast<CallBase>(&I);
  SmallVector<const Function *, 2> Callees;
  if (Call)
    Callees = calleesOf(*Call);
  for (const Use &Operand : I.operands()) {
    FlowNode *From = Values.lookup(Operand.get());
    if (!From)
      continue;
    bool Passed = Call && !Callees.empty() && Call->isArgOperand(&Operand);
    if (!Passed)
      From->Next.push_back(&To);
    else
      for (const Function *Callee : Callees)
        if (unsigned Number = Call->getArgOperandNo(&Operand); Number < Callee->arg_size())
          From->Next.push_back(Values.lookup(Callee->getArg(Number)));
  }
  if (isa<ReturnInst>(I))
    for (const CallBase *Caller : Callers.lookup(I.getFunction()))
      To.Next.push_back(&of(*Caller));
}

void DataFlow::addAccesses(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    addAccess(I, Load->getPointerOperand(), true, false);
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    addAccess(I, Store->getPointerOperand(), false, true);
  else if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    addAccess(I, Atomic->getPointerOperand(), true, true);
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    addAccess(I, Exchange->getPointerOperand(), true, true);
  else if (const auto *Call = dyn_cast<CallBase>(&I); Call && calleesOf(*Call).empty())
    addCall(*Call);
}

/// Intrinsics access what their pointers point to, or no data (barriers); a function
/// without a body may access everything.
void DataFlow::addCall(const CallBase &Call) {
  // Without volatile and clobbers assembly counts as arithmetic, though it may load.
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return addAssembly(Call, Asm->getAsmString());
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Call.mayReadOrWriteMemory() || (Intrinsic && Intrinsic->isAssumeLikeIntrinsic()))
    return;
  const Function *Callee = Call.getCalledFunction();
  bool Prints = Callee && (Callee->getName() == "vprintf" || Callee->getName() == "__assertfail");
  for (const Use &Operand : Call.args())
    if (Operand->getType()->isPointerTy()) {
      unsigned Number = Call.getArgOperandNo(&Operand);
      addAccess(Call, Operand.get(), Call.mayReadFromMemory() && !Call.onlyWritesMemory(Number),
                Call.mayWriteToMemory() && !Call.onlyReadsMemory(Number) && !Prints);
    }
  if (!Intrinsic && !Prints)
    addAccess(Call, nullptr, Call.mayReadFromMemory(), Call.mayWriteToMemory());
}

/// Operands in brackets are addresses; they may be integers.
void DataFlow::addAssembly(const CallBase &Call, StringRef Ptx) {
  if (!Ptx.contains('['))
    return;
  bool OnlyLoads = (Ptx.contains("ld.") || Ptx.contains("ldmatrix")) && !Ptx.contains("st.") &&
                   !Ptx.contains("red.") && !Ptx.contains("atom.") && !Ptx.contains("cp.");
  bool OnlyStores = !Ptx.contains("ld") && !Ptx.contains("atom.") && !Ptx.contains("cp.");
  bool HasPointer = false;
  for (const Value *Operand : Call.args())
    if (Operand->getType()->isPointerTy()) {
      HasPointer = true;
      addAccess(Call, Operand, !OnlyStores, !OnlyLoads);
    }
  bool HasAddress = any_of(Call.args(), [&](const Value *V) {
    return V->getType()->isIntegerTy(64) || (V->getType()->isIntegerTy(32) && Ptx.contains(".shared"));
  });
  if (!HasPointer || HasAddress)
    addAccess(Call, nullptr, !OnlyStores, !OnlyLoads);
}

void DataFlow::addAccess(const Instruction &I, const Value *Pointer, bool Reads, bool Writes) {
  FlowAccess &Access = Accesses.emplace_back();
  Access.I = &I;
  Access.Pointer = Pointer;
  Access.Reads = Reads;
  Access.Writes = Writes;
  if (Pointer)
    findObjects(*Pointer, Access);
  else
    Access.Objects.push_back(&object(nullptr, Generic));
}

/// An argument of a called function points to what its callers pass.
void DataFlow::findObjects(const Value &Pointer, FlowAccess &Access) {
  SmallSetVector<const Value *, 8> Worklist;
  Worklist.insert(&Pointer);
  unsigned PointerSpace = Pointer.getType()->getPointerAddressSpace();
  for (size_t Next = 0; Next != Worklist.size(); ++Next) {
    SmallVector<const Value *, 4> Bases;
    getUnderlyingObjects(Worklist[Next], Bases, nullptr, /*MaxLookup=*/0);
    for (const Value *Base : Bases) {
      const auto *Passed = dyn_cast<Argument>(Base);
      bool OfKernel = Passed && Passed->getParent() == &Kernel;
      if (Passed && !OfKernel)
        for (const CallBase *Caller : Callers.lookup(Passed->getParent()))
          Worklist.insert(Caller->getArgOperand(Passed->getArgNo()));
      else if (OfKernel || isa<AllocaInst, GlobalVariable>(Base))
        Access.Objects.push_back(&object(Base, spaceOf(*Base)));
      else if (!isa<UndefValue, ConstantPointerNull>(Base))
        Access.Objects.push_back(&object(nullptr, PointerSpace == Generic ? spaceOf(*Base) : PointerSpace));
    }
  }
}

/// Whether an unknown pointer may point to \p Base.
static bool isExposed(const Value *Base) {
  if (const auto *A = dyn_cast_or_null<Argument>(Base))
    return !A->hasByValAttr();
  return !Base || !isa<AllocaInst>(Base) || PointerMayBeCaptured(Base, /*ReturnCaptures=*/false);
}

static bool isReadOnly(const Value *Base) {
  const auto *Variable = dyn_cast_or_null<GlobalVariable>(Base);
  return Variable && (Variable->isConstant() || Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST);
}

/// An access through an unknown pointer reaches each exposed object of its address space.
void DataFlow::resolveUnknown() {
  auto Overlap = [](unsigned A, unsigned B) { return A == B || A == Generic || B == Generic; };
  SmallVector<std::pair<unsigned, FlowNode *>, 8> Exposed, Unknown;
  for (auto &[Key, Node] : Objects) {
    if (isExposed(Key.first))
      Exposed.push_back({Key.second, Node});
    if (!Key.first)
      Unknown.push_back({Key.second, Node});
  }
  for (FlowAccess &Access : Accesses) {
    SmallSetVector<FlowNode *, 8> All(Access.Objects.begin(), Access.Objects.end());
    for (auto &[UnknownSpace, Node] : Unknown)
      if (Access.touches(*Node))
        for (auto &[Space, Object] : Exposed)
          if (Overlap(UnknownSpace, Space))
            All.insert(Object);
    Access.Objects = All.takeVector();
  }
}

void DataFlow::connectMemory() {
  resolveUnknown();
  for (const FlowAccess &Access : Accesses)
    for (FlowNode *Object : Access.Objects) {
      if (Access.Writes && !isReadOnly(Object->V))
        of(*Access.I).Next.push_back(Object);
      if (Access.Reads)
        Object->Next.push_back(&of(*Access.I));
    }
}

} // namespace gpuprune
