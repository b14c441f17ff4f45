//===- FloatingPointSums.cpp - What adds floating point -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FloatingPointSums.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

/// The first instruction of inline PTX that \p IsWanted, given its parts between dots.
static std::string findPtx(const CallBase &Call, function_ref<bool(ArrayRef<StringRef>)> IsWanted) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return "";
  SmallVector<StringRef> Words;
  StringRef Ptx = Asm->getAsmString();
  SplitString(Ptx, Words, " \t\n\r;{}");
  for (StringRef Word : Words) {
    SmallVector<StringRef> Parts;
    Word.split(Parts, '.');
    if (IsWanted(Parts))
      return Word.str();
  }
  return "";
}

static bool isFloatingPoint(StringRef PtxType) {
  return PtxType.starts_with("f") || PtxType.starts_with("bf");
}

static bool addsOrMultiplies(StringRef Operation) {
  return is_contained({"add", "sub", "mul", "fma", "mad", "mma"}, Operation);
}

static bool isFloatingPoint(const Type &T) {
  const auto *Struct = dyn_cast<StructType>(&T);
  return Struct ? any_of(Struct->elements(), [](const Type *E) { return E->isFPOrFPVectorTy(); })
                : T.isFPOrFPVectorTy();
}

static std::string intrinsicSum(const IntrinsicInst &Call) {
  if (!isFloatingPoint(*Call.getType()))
    return "";
  StringRef Name = Call.getCalledFunction()->getName();
  Name.consume_front("llvm.");
  if (!Name.consume_front("nvvm."))
    return is_contained({Intrinsic::fma, Intrinsic::fmuladd}, Call.getIntrinsicID())
               ? Name.substr(0, Name.find('.')).str()
               : "";
  bool MultipliesMatrices = Name.starts_with("mma.") || Name.contains(".mma");
  return MultipliesMatrices || addsOrMultiplies(Name.substr(0, Name.find('.'))) ? Name.str() : "";
}

std::string floatingPointSum(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return I.getOpcodeName();
  case Instruction::Call:
    break;
  default:
    return "";
  }
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return intrinsicSum(*Intrinsic);
  return findPtx(cast<CallInst>(I), [](ArrayRef<StringRef> Parts) {
    bool MultipliesMatrices = Parts[0] == "wmma" || Parts[0] == "wgmma";
    return isFloatingPoint(Parts.back()) &&
           (MultipliesMatrices ? Parts.size() > 1 && Parts[1].starts_with("mma")
                               : addsOrMultiplies(Parts[0]));
  });
}

/// What \p I gets from or gives to others of its function, but for phis and memory.
static bool isArithmetic(const Instruction &I) { return !isa<PHINode>(I) && !I.mayReadOrWriteMemory(); }

static SetVector<const Instruction *> computedFrom(const Value &V) {
  SetVector<const Instruction *> Found;
  auto Add = [&](const Value &From) {
    for (const User *U : From.users())
      if (const auto *I = dyn_cast<Instruction>(U); I && isArithmetic(*I))
        Found.insert(I);
  };
  Add(V);
  for (size_t Next = 0; Next != Found.size(); ++Next)
    Add(*Found[Next]);
  return Found;
}

static SetVector<const Instruction *> operandsOf(const Value &V) {
  SetVector<const Instruction *> Found;
  auto Add = [&](const Value *From) {
    if (const auto *I = dyn_cast<Instruction>(From); I && isArithmetic(*I))
      Found.insert(I);
  };
  Add(&V);
  for (size_t Next = 0; Next != Found.size(); ++Next)
    for (const Use &Operand : Found[Next]->operands())
      Add(Operand.get());
  return Found;
}

/// old = *p; do { seen = old; old = atomicCAS(p, seen, seen + x); } while (old != seen);
static std::string sumOfExchange(const AtomicCmpXchgInst &Exchange) {
  SetVector<const Instruction *> FromOld = computedFrom(*Exchange.getCompareOperand());
  for (const Instruction *I : operandsOf(*Exchange.getNewValOperand()))
    if (std::string Sum = floatingPointSum(*I); !Sum.empty() && FromOld.contains(I))
      return "cmpxchg of an " + Sum;
  return "";
}

std::string atomicSum(const Instruction &I) {
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
    bool Adds =
        Atomic->getOperation() == AtomicRMWInst::FAdd || Atomic->getOperation() == AtomicRMWInst::FSub;
    return Adds ? "atomicrmw " + AtomicRMWInst::getOperationName(Atomic->getOperation()).str() : "";
  }
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return sumOfExchange(*Exchange);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    StringRef Name = Intrinsic->getCalledFunction()->getName();
    return Name.starts_with("llvm.nvvm.atomic.add.") && Intrinsic->getType()->isFPOrFPVectorTy()
               ? Name.drop_front(strlen("llvm.nvvm.")).str()
               : "";
  }
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call ? findPtx(*Call,
                        [](ArrayRef<StringRef> Parts) {
                          return (Parts[0] == "atom" || Parts[0] == "red") && is_contained(Parts, "add") &&
                                 isFloatingPoint(Parts.back());
                        })
              : "";
}

} // namespace gpuprune
