//===- IndexTerms.cpp - Integers as polynomials of thread indices -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IndexTerms.h"
#include "ParameterMembers.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

/// Larger ones are values by themselves.
static constexpr size_t MostProducts = 16, MostFactors = 4;

static std::optional<Term::Kind> kindOf(RegisterFamily Family) {
  switch (Family) {
  case RegisterFamily::ThreadIndex:
    return Term::Thread;
  case RegisterFamily::BlockIndex:
    return Term::Block;
  case RegisterFamily::BlockExtent:
    return Term::BlockSize;
  case RegisterFamily::GridExtent:
    return Term::GridSize;
  default:
    return std::nullopt;
  }
}

std::optional<Term> indexRegister(const Instruction &I) {
  const SpecialRegister *Register = specialRegister(I);
  std::optional<Term::Kind> Kind = Register ? kindOf(Register->Family) : std::nullopt;
  if (!Kind)
    return std::nullopt;
  Term T;
  T.Is = *Kind;
  T.Dimension = Register->Dimension;
  return T;
}

static Term wholeGrid(Term::Kind Kind, unsigned D) {
  Term T;
  T.Is = Kind;
  T.Dimension = D;
  return T;
}

static Polynomial single(const Term &T, unsigned Bits) {
  Polynomial P;
  P.Bits = Bits;
  P.add({T}, 1);
  return P;
}

void Polynomial::add(const Product &P, uint64_t Coefficient) {
  uint64_t &Sum = Products[P];
  Sum = (Sum + Coefficient) & maskTrailingOnes<uint64_t>(Bits);
  if (!Sum)
    Products.erase(P);
}

int64_t Polynomial::coefficient(const Product &P) const {
  auto Found = Products.find(P);
  return Found == Products.end() ? 0 : SignExtend64(Found->second, Bits);
}

bool Polynomial::any(function_ref<bool(const Term &)> Wanted) const {
  for (const auto &[P, Coefficient] : Products)
    for (const Term &T : P)
      if (Wanted(T) || (T.Is == Term::Extended && T.Inner->any(Wanted)))
        return true;
  return false;
}

/// \p P without \p A and \p B and with \p Instead.
static Polynomial::Product replaced(Polynomial::Product P, const Term &A, const Term &B,
                                    const Term &Instead) {
  P.erase(find(P, A));
  P.erase(find(P, B));
  P.push_back(Instead);
  llvm::sort(P);
  return P;
}

/// Puts G - tid for ctaid * ntid in one product, or S for nctaid * ntid; false: there is none.
static bool substitute(Polynomial &P, unsigned D) {
  Term Block = wholeGrid(Term::Block, D), Size = wholeGrid(Term::BlockSize, D),
       Grid = wholeGrid(Term::GridSize, D);
  for (const auto &[Product, Coefficient] : P.Products) {
    if (!is_contained(Product, Size))
      continue;
    Polynomial::Product Old = Product;
    uint64_t Times = Coefficient;
    if (is_contained(Old, Block)) {
      P.add(Old, -Times);
      P.add(replaced(Old, Block, Size, wholeGrid(Term::Index, D)), Times);
      P.add(replaced(Old, Block, Size, wholeGrid(Term::Thread, D)), -Times);
      return true;
    }
    if (is_contained(Old, Grid)) {
      P.add(Old, -Times);
      P.add(replaced(Old, Grid, Size, wholeGrid(Term::Extent, D)), Times);
      return true;
    }
  }
  return false;
}

static Polynomial sum(const Polynomial &A, const Polynomial &B, uint64_t Times) {
  Polynomial R = A;
  R.Narrow |= B.Narrow;
  for (const auto &[Product, Coefficient] : B.Products)
    R.add(Product, Coefficient * Times);
  return R;
}

static Polynomial product(const Polynomial &A, const Polynomial &B) {
  Polynomial R;
  R.Bits = A.Bits;
  R.Narrow = A.Narrow || B.Narrow;
  for (const auto &[Left, C] : A.Products)
    for (const auto &[Right, D] : B.Products) {
      Polynomial::Product Joined = Left;
      llvm::append_range(Joined, Right);
      llvm::sort(Joined);
      R.add(Joined, C * D);
    }
  for (unsigned D = 0; D < Dim3::size(); ++D)
    while (substitute(R, D))
      ;
  return R;
}

static bool isSmall(const Polynomial &P) {
  return P.Products.size() <= MostProducts &&
         all_of(P.Products, [](const auto &Entry) { return Entry.first.size() <= MostFactors; });
}

static Polynomial opaque(const Value &V) {
  Term T;
  T.Bits = V.getType()->getIntegerBitWidth();
  T.Of = &V;
  return single(T, T.Bits);
}

static bool isInteger(const Value &V) {
  return V.getType()->isIntegerTy() && V.getType()->getIntegerBitWidth() <= 64;
}

std::optional<Polynomial> IndexTerms::of(const Value &V) const {
  if (!isInteger(V))
    return std::nullopt;
  if (auto Found = Values.find(&V); Found != Values.end())
    return Found->second;
  if (const auto *C = dyn_cast<ConstantInt>(&V)) {
    Polynomial P;
    P.Bits = C->getBitWidth();
    P.add({}, C->getZExtValue());
    return P;
  }
  return opaque(V);
}

/// Whether the product ctaid * ntid or nctaid * ntid that \p Cast extends fits by its flags.
static bool fits(const Instruction &Cast) {
  const auto *Product = dyn_cast<OverflowingBinaryOperator>(Cast.getOperand(0));
  return Product && (Product->hasNoSignedWrap() || (isa<ZExtInst>(Cast) && Product->hasNoUnsignedWrap()));
}

std::optional<Polynomial> IndexTerms::extend(const Polynomial &P, const Instruction &Cast) {
  unsigned Bits = Cast.getType()->getIntegerBitWidth();
  bool Signed = isa<SExtInst>(Cast);
  Polynomial R;
  R.Bits = Bits;
  R.Narrow = P.Narrow;
  if (P.Products.empty())
    return R;
  if (P.Products.size() == 1 && P.Products.begin()->first.empty()) {
    R.add({}, Signed ? uint64_t(P.coefficient({})) : P.Products.begin()->second);
    return R;
  }
  // Of fewer bits, even a register is not whole.
  for (unsigned D = 0; D < Dim3::size() && P.Bits >= 32; ++D) {
    Term Index = wholeGrid(Term::Index, D), Thread = wholeGrid(Term::Thread, D);
    bool IsStart = P.Products.size() == 2 && P.coefficient({Index}) == 1 && P.coefficient({Thread}) == -1;
    bool IsExtent = P.isOnly(wholeGrid(Term::Extent, D));
    if (IsStart || IsExtent)
      MustNotWrap[D] |= !fits(Cast);
    R.Narrow |= P.isOnly(Index);
    bool IsRegister = P.Products.size() == 1 && P.Products.begin()->first.size() == 1 &&
                      P.Products.begin()->second == 1 && P.Products.begin()->first.front().isRegister(D);
    if (IsStart || IsExtent || IsRegister || P.isOnly(Index)) {
      for (const auto &[Product, Coefficient] : P.Products)
        R.add(Product, uint64_t(P.coefficient(Product)));
      return R;
    }
  }
  if (P.any([](const Term &T) { return T.Is <= Term::GridSize; }))
    return std::nullopt;
  Term T;
  T.Is = Term::Extended;
  T.Bits = Bits;
  T.Signed = Signed;
  T.Inner = &*Interned.insert(P).first;
  R.add({T}, 1);
  return R;
}

std::optional<Polynomial> IndexTerms::truncate(const Polynomial &P, unsigned Bits) const {
  Polynomial R;
  R.Bits = Bits;
  R.Narrow = P.Narrow;
  for (const auto &[Product, Coefficient] : P.Products) {
    if (Product.size() == 1 && Product.front().Is == Term::Extended && Product.front().Inner->Bits == Bits) {
      R = sum(R, *Product.front().Inner, Coefficient);
      continue;
    }
    Polynomial::Product Short = Product;
    for (Term &T : Short) {
      if (T.Is == Term::Extended)
        return std::nullopt;
      if (T.Is == Term::Opaque)
        T.Bits = Bits;
    }
    llvm::sort(Short);
    R.add(Short, Coefficient);
  }
  return R;
}

std::optional<Polynomial> IndexTerms::combine(const Instruction &I) {
  // What is truncated may be wider than any index.
  if (!all_of(I.operands(), [](const Use &U) { return isInteger(*U); }))
    return std::nullopt;
  auto Operand = [&](unsigned N) { return of(*I.getOperand(N)).value_or(Polynomial()); };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(Operand(0), Operand(1), 1);
  case Instruction::Sub:
    return sum(Operand(0), Operand(1), ~uint64_t(0));
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return std::nullopt;
    return sum(Operand(0), Operand(1), 1);
  case Instruction::Xor: {
    // -1 - x.
    const auto *Ones = dyn_cast<ConstantInt>(I.getOperand(1));
    return Ones && Ones->isMinusOne() ? std::optional(sum(Operand(1), Operand(0), ~uint64_t(0)))
                                      : std::nullopt;
  }
  case Instruction::Mul:
    return product(Operand(0), Operand(1));
  case Instruction::Shl: {
    const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!By || By->getValue().uge(By->getBitWidth()))
      return std::nullopt;
    Polynomial Zero;
    Zero.Bits = By->getBitWidth();
    return sum(Zero, Operand(0), uint64_t(1) << By->getZExtValue());
  }
  case Instruction::Freeze:
    return Operand(0);
  case Instruction::ZExt:
  case Instruction::SExt:
    return extend(Operand(0), I);
  case Instruction::Trunc:
    return isInteger(*I.getOperand(0)) ? truncate(Operand(0), I.getType()->getIntegerBitWidth())
                                       : std::nullopt;
  default:
    return std::nullopt;
  }
}

void IndexTerms::checkOperands(const Instruction &I) {
  for (const Value *Operand : I.operands()) {
    std::optional<Polynomial> P = isa<Instruction>(Operand) ? of(*Operand) : std::nullopt;
    for (unsigned D = 0; P && D < Dim3::size(); ++D) {
      if (!Misuses[D] && P->any([&](const Term &T) { return T.isRegister(D); }))
        Misuses[D] = &I;
      if (P->any([&](const Term &T) { return T.Is == Term::Extent && T.Dimension == D; }))
        ExtentUses.push_back({D, &I});
    }
  }
}

IndexTerms::IndexTerms(Function &F) {
  SmallVector<const Instruction *, 64> Others;
  std::map<ParameterMember, const Instruction *> Members; ///< The first load of each.
  for (const BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (const Instruction &I : *BB) {
      if (std::optional<Term> Register = indexRegister(I)) {
        Values[&I] = single(*Register, 32);
        continue;
      }
      std::optional<Polynomial> P = isInteger(I) ? combine(I) : std::nullopt;
      if (P && isSmall(*P)) {
        Values[&I] = std::move(*P);
        Arithmetic[&I] = true;
        continue;
      }
      // One number, however often it is loaded.
      if (std::optional<ParameterMember> Member = memberRead(I))
        Values[&I] = opaque(*Members.try_emplace(*Member, &I).first->second);
      Others.push_back(&I);
    }
  for (const Instruction *I : Others)
    checkOperands(*I);
}

/// The formula of \p V where only scalar arguments and members of structures decide it.
static std::optional<LaunchFormula> formulaOf(const Value &V, unsigned Depth = 0);

static std::optional<LaunchFormula> joined(ArrayRef<const Value *> Operands, LaunchFormula::Step Last,
                                           unsigned Depth) {
  SmallVector<LaunchFormula, 3> Formulas;
  size_t Size = 1;
  for (const Value *Operand : Operands) {
    std::optional<LaunchFormula> Formula = formulaOf(*Operand, Depth + 1);
    if (!Formula)
      return std::nullopt;
    Size += Formula->size();
    Formulas.push_back(std::move(*Formula));
  }
  return Size <= LaunchFormula::MaxSteps ? std::optional(LaunchFormula::apply(Formulas, Last)) : std::nullopt;
}

static std::optional<LaunchFormula::Op> operationOf(const Instruction &I) {
  using Op = LaunchFormula::Op;
  if (const auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I))
    return MinMax->getIntrinsicID() == Intrinsic::smin   ? Op::SignedMin
           : MinMax->getIntrinsicID() == Intrinsic::smax ? Op::SignedMax
           : MinMax->getIntrinsicID() == Intrinsic::umin ? Op::UnsignedMin
                                                         : Op::UnsignedMax;
  switch (I.getOpcode()) {
  case Instruction::ZExt:
    return Op::ZeroExtend;
  case Instruction::SExt:
    return Op::SignExtend;
  case Instruction::Trunc:
    return Op::Truncate;
  case Instruction::Select:
    return Op::Select;
  case Instruction::ICmp:
    return Op::Compare;
  default:
    return isa<BinaryOperator>(I) ? std::optional(Op::Binary) : std::nullopt;
  }
}

static std::optional<LaunchFormula> formulaOf(const Value &V, unsigned Depth) {
  if (!isInteger(V) || Depth > 16)
    return std::nullopt;
  unsigned Bits = V.getType()->getIntegerBitWidth();
  if (const auto *C = dyn_cast<ConstantInt>(&V))
    return LaunchFormula::constant(C->getZExtValue(), Bits);
  if (const auto *A = dyn_cast<Argument>(&V))
    return LaunchFormula::scalar(A->getArgNo(), Bits);
  if (std::optional<ParameterMember> Member = memberRead(V))
    return LaunchFormula::member(Member->Parameter->getArgNo(), uint32_t(Member->Offset), Bits);
  const auto *I = dyn_cast<Instruction>(&V);
  if (I && I->getOpcode() == Instruction::Freeze)
    return formulaOf(*I->getOperand(0), Depth + 1);
  std::optional<LaunchFormula::Op> Operation = I ? operationOf(*I) : std::nullopt;
  if (!Operation)
    return std::nullopt;
  LaunchFormula::Step Last{*Operation, Bits};
  if (*Operation == LaunchFormula::Op::Binary)
    Last.Operand = I->getOpcode();
  if (const auto *Compare = dyn_cast<ICmpInst>(I))
    Last = {*Operation, 1, uint64_t(Compare->getPredicate())};
  bool IsCall = isa<CallBase>(I);
  SmallVector<const Value *, 3> Operands;
  for (const Value *Operand : IsCall ? cast<CallBase>(I)->args() : I->operands())
    Operands.push_back(Operand);
  return joined(Operands, Last, Depth);
}

static std::optional<LaunchFormula> formulaOf(const Term &T, unsigned Bits, bool WithExtents) {
  using Op = LaunchFormula::Op;
  if (T.Is == Term::Extent && WithExtents)
    return LaunchFormula::extent(T.Dimension, Bits);
  if (T.Is == Term::Extended) {
    std::optional<LaunchFormula> Inner = IndexTerms::formula(*T.Inner, WithExtents);
    return Inner ? std::optional(
                       LaunchFormula::apply(*Inner, {T.Signed ? Op::SignExtend : Op::ZeroExtend, Bits}))
                 : std::nullopt;
  }
  std::optional<LaunchFormula> Whole = T.Is == Term::Opaque ? formulaOf(*T.Of) : std::nullopt;
  if (Whole && T.Of->getType()->getIntegerBitWidth() > Bits)
    return LaunchFormula::apply(*Whole, {Op::Truncate, Bits});
  return Whole;
}

std::optional<LaunchFormula> IndexTerms::formula(const Polynomial &P, bool WithExtents) {
  using Op = LaunchFormula::Op;
  LaunchFormula Sum = LaunchFormula::constant(0, P.Bits);
  for (const auto &[Product, Coefficient] : P.Products) {
    LaunchFormula Value = LaunchFormula::constant(Coefficient, P.Bits);
    for (const Term &T : Product) {
      std::optional<LaunchFormula> Factor = formulaOf(T, P.Bits, WithExtents);
      if (!Factor)
        return std::nullopt;
      Value = LaunchFormula::apply({Value, *Factor}, {Op::Binary, P.Bits, Instruction::Mul});
    }
    Sum = LaunchFormula::apply({Sum, Value}, {Op::Binary, P.Bits, Instruction::Add});
  }
  return Sum.size() <= 4 * LaunchFormula::MaxSteps ? std::optional(std::move(Sum)) : std::nullopt;
}

} // namespace gpuprune
