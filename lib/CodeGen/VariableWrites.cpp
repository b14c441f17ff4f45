//===- VariableWrites.cpp - Whether code may write a variable ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/VariableWrites.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What a value is to the variable.
enum class Relation {
  Address, ///< It points into the variable,
  Holder,  ///< or to memory in which such a pointer may lie.
};

/// Follows the variable's address through calls, structures and the initial values of other variables.
class AddressWalk {
public:
  explicit AddressWalk(function_ref<bool(const Function &)> Counts) : Counts(Counts) {}

  /// Whether something may write it.
  bool run(const GlobalVariable &V);

private:
  function_ref<bool(const Function &)> Counts;
  /// One that is both is the first that it was found to be, but for addresses, which tell more.
  SmallMapVector<const Value *, Relation, 16> Found;
  SmallVector<std::pair<const Value *, Relation>, 16> Worklist;

  void add(const Value &V, Relation As);
  bool visit(const Use &U, Relation As);
  bool visitStore(const StoreInst &Store, const Use &U, Relation As);
  bool visitCall(const CallBase &Call, const Use &U, Relation As);
  bool visitCopy(const MemIntrinsic &Copy, const Use &U, Relation As);
  bool keepIn(const Value &Place);
  void returnFrom(const Function &F, Relation As);
};

} // namespace

void AddressWalk::add(const Value &V, Relation As) {
  auto [Known, IsNew] = Found.insert({&V, As});
  if (!IsNew && (Known->second == As || As == Relation::Holder))
    return;
  Known->second = As;
  Worklist.emplace_back(&V, As);
}

/// The address is put at \p Place; whether nobody knows where it goes from there.
bool AddressWalk::keepIn(const Value &Place) {
  const Value *Object = getUnderlyingObject(&Place, /*MaxLookup=*/0);
  if (!isa<AllocaInst>(Object))
    return true;
  add(*Object, Relation::Holder);
  return false;
}

bool AddressWalk::visitStore(const StoreInst &Store, const Use &U, Relation As) {
  if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
    return As == Relation::Address;
  return As == Relation::Holder || keepIn(*Store.getPointerOperand());
}

bool AddressWalk::visitCopy(const MemIntrinsic &Copy, const Use &U, Relation As) {
  bool IsFrom = &U != &Copy.getRawDestUse();
  if (As == Relation::Address)
    return !IsFrom;
  return IsFrom && keepIn(*Copy.getRawDest());
}

bool AddressWalk::visitCall(const CallBase &Call, const Use &U, Relation As) {
  if (const auto *Copy = dyn_cast<MemIntrinsic>(&Call))
    return visitCopy(*Copy, U, As);
  if (isa<LifetimeIntrinsic, AssumeInst>(Call))
    return false;
  if (!Call.isArgOperand(&U))
    return true;
  unsigned Number = Call.getArgOperandNo(&U);
  if (Call.doesNotCapture(Number) && (Call.onlyReadsMemory() || Call.onlyReadsMemory(Number)))
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Number >= Callee->arg_size())
    return true;
  add(*Callee->getArg(Number), As);
  return false;
}

void AddressWalk::returnFrom(const Function &F, Relation As) {
  for (const User *Caller : F.users())
    if (const auto *Call = dyn_cast<CallBase>(Caller); Call && Call->getCalledFunction() == &F)
      add(*Call, As);
}

bool AddressWalk::visit(const Use &U, Relation As) {
  const User *By = U.getUser();
  const auto *I = dyn_cast<Instruction>(By);
  if (I && !Counts(*I->getFunction()))
    return false;
  if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator, PHINode, SelectInst, InsertValueInst,
          ExtractValueInst>(By)) {
    add(*By, As);
    return false;
  }
  if (isa<LoadInst>(By)) {
    if (As == Relation::Holder && By->getType()->isPtrOrPtrVectorTy())
      add(*By, Relation::Address);
    return false;
  }
  if (const auto *Store = dyn_cast<StoreInst>(By))
    return visitStore(*Store, U, As);
  if (const auto *Call = dyn_cast<CallBase>(By))
    return visitCall(*Call, U, As);
  if (isa<ReturnInst>(By)) {
    returnFrom(*I->getFunction(), As);
    return false;
  }
  if (isa<ConstantExpr>(By)) { // As an integer: used where code counts, that is the end of what is seen.
    add(*By, As);
    return false;
  }
  if (isa<ConstantAggregate, GlobalVariable>(By)) { // Part of an initial value.
    add(*By, Relation::Holder);
    return false;
  }
  return !isa<ICmpInst>(By);
}

bool AddressWalk::run(const GlobalVariable &V) {
  add(V, Relation::Address);
  while (!Worklist.empty()) {
    auto [Next, As] = Worklist.pop_back_val();
    for (const Use &U : Next->uses())
      if (visit(U, As))
        return true;
  }
  return false;
}

bool mayBeWritten(const GlobalVariable &V, function_ref<bool(const Function &)> Counts) {
  bool NobodyCan = V.isConstant() || V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST;
  return !NobodyCan && AddressWalk(Counts).run(V);
}

} // namespace gpuprune
