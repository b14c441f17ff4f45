//===- IndexTerms.h - Integers as polynomials of thread indices -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the integers modulo 2^w, addition and multiplication do not care how the
// author associates them: ((k + 1) + ctaid * ntid) + tid is the polynomial
// k + 1 + ctaid * ntid + tid, and wherever ctaid * ntid stands, the index
// G - tid is put for it, G being the index of the thread in the whole grid. Where a
// polynomial then has neither tid, ctaid nor ntid, its value is a function of G;
// nctaid * ntid likewise becomes S, the threads of the grid.
//
// An extension is part of a polynomial of more bits only where nothing wraps: of one
// special register (all are below 2^31), of G and S, whose users are told, and of
// G - tid where the multiplication has its flag or the launch is asked
// (mustNotWrap), each of 32 bits at least. Another one is a term by itself, a function of what it extends.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_INDEXTERMS_H
#define GPUPRUNE_LIB_TRANSFORMS_INDEXTERMS_H

#include "gpuprune/Transforms/LaunchFormula.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <map>
#include <set>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprune {

struct Polynomial;

struct Term {
  enum Kind : uint8_t {
    Thread,    ///< tid
    Block,     ///< ctaid
    BlockSize, ///< ntid
    GridSize,  ///< nctaid
    Index,     ///< ctaid * ntid + tid
    Extent,    ///< nctaid * ntid
    Extended,  ///< A polynomial of fewer bits, sign-extended or zero-extended.
    Opaque,    ///< Another value; of fewer bits where it is truncated.
  };
  Kind Is = Opaque;
  unsigned Dimension = 0;
  unsigned Bits = 0; ///< Of Opaque.
  bool Signed = false;
  const llvm::Value *Of = nullptr;
  const Polynomial *Inner = nullptr; ///< Of Extended; equal ones are the same object.

  auto operator<=>(const Term &) const = default;
  /// tid, ctaid, ntid or nctaid of \p D.
  bool isRegister(unsigned D) const { return Is <= GridSize && Dimension == D; }
};

struct Polynomial {
  using Product = std::vector<Term>; ///< Sorted; empty: the constant.
  unsigned Bits = 0;
  bool Narrow = false; ///< An index of it was extended from 32 bits.
  std::map<Product, uint64_t> Products;

  auto operator<=>(const Polynomial &) const = default;
  void add(const Product &P, uint64_t Coefficient);
  /// The coefficient of \p P, as a signed number.
  int64_t coefficient(const Product &P) const;
  bool isOnly(const Term &T) const { return Products.size() == 1 && coefficient({T}) == 1; }
  /// Whether a term, or one of what it extends, is as \p Wanted says.
  bool any(llvm::function_ref<bool(const Term &)> Wanted) const;
};

/// A polynomial of S that something else than arithmetic takes.
struct ExtentUse {
  unsigned Dimension;
  const llvm::Instruction *By;
};

class IndexTerms {
public:
  explicit IndexTerms(llvm::Function &F);

  /// \p V as a polynomial; nothing for what is no integer of at most 64 bits.
  std::optional<Polynomial> of(const llvm::Value &V) const;
  /// Whether \p I is a step of a polynomial alone.
  bool isArithmetic(const llvm::Instruction &I) const { return Arithmetic.contains(&I); }
  /// The first instruction that takes tid, ctaid, ntid or nctaid of \p D otherwise
  /// than in G and S.
  const llvm::Instruction *misuse(unsigned D) const { return Misuses[D]; }
  llvm::ArrayRef<ExtentUse> extentUses() const { return ExtentUses; }
  /// Whether G and S of \p D mean what they say only in grids of less than 2^31 threads.
  bool mustNotWrap(unsigned D) const { return MustNotWrap[D]; }

  /// What a launch makes of \p P where it depends on no thread; \p WithExtents: S may
  /// be in it.
  static std::optional<LaunchFormula> formula(const Polynomial &P, bool WithExtents);

private:
  llvm::DenseMap<const llvm::Value *, Polynomial> Values;
  llvm::DenseMap<const llvm::Instruction *, bool> Arithmetic;
  std::set<Polynomial> Interned;
  std::array<const llvm::Instruction *, 3> Misuses{};
  std::array<bool, 3> MustNotWrap{};
  llvm::SmallVector<ExtentUse, 8> ExtentUses;

  std::optional<Polynomial> combine(const llvm::Instruction &I);
  std::optional<Polynomial> extend(const Polynomial &P, const llvm::Instruction &Cast);
  std::optional<Polynomial> truncate(const Polynomial &P, unsigned Bits) const;
  void checkOperands(const llvm::Instruction &I);
};

/// The dimension and kind of the special register that \p I reads, for those four.
std::optional<Term> indexRegister(const llvm::Instruction &I);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_INDEXTERMS_H
