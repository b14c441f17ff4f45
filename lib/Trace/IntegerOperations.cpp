//===- IntegerOperations.cpp - Integer instructions of PTX ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <string>

using namespace llvm;

namespace gpuprune {

namespace {

template <typename T> constexpr unsigned BitsOf = sizeof(T) * 8;
/// Without undefined overflow.
template <typename T> using Wide = std::make_unsigned_t<std::conditional_t<sizeof(T) < 4, uint32_t, T>>;

template <typename T> struct Adder {
  OperationTable &Table;
  std::string Type;

  template <typename F> void add(StringRef Name, F Function) {
    Table[(Name + "." + Type).str()] = onLanesOf<T>(Function);
  }
};

} // namespace

template <typename T> static void addArithmetic(Adder<T> A) {
  A.add("add", [](T X, T Y) { return T(Wide<T>(X) + Wide<T>(Y)); });
  A.add("sub", [](T X, T Y) { return T(Wide<T>(X) - Wide<T>(Y)); });
  A.add("mul.lo", [](T X, T Y) { return T(Wide<T>(X) * Wide<T>(Y)); });
  A.add("mad.lo", [](T X, T Y, T Z) { return T(Wide<T>(X) * Wide<T>(Y) + Wide<T>(Z)); });
  A.add("min", [](T X, T Y) { return std::min(X, Y); });
  A.add("max", [](T X, T Y) { return std::max(X, Y); });
  A.add("neg", [](T X) { return T(0 - Wide<T>(X)); });
  A.add("abs", [](T X) { return X < 0 ? T(0 - Wide<T>(X)) : X; });
  // By zero, what the GPU gives has no meaning either; the least one by -1 would trap here.
  A.add("div", [](T X, T Y) {
    if (Y == 0)
      return T(-1);
    return std::is_signed_v<T> && Y == T(-1) ? T(0 - Wide<T>(X)) : T(X / Y);
  });
  A.add("rem", [](T X, T Y) {
    if (Y == 0)
      return X;
    return std::is_signed_v<T> && Y == T(-1) ? T(0) : T(X % Y);
  });
  A.add("shr", [](T X, T Y) {
    uint32_t By = uint32_t(std::make_unsigned_t<T>(Y));
    return By < BitsOf<T> ? T(X >> By) : T(X < 0 ? -1 : 0);
  });
}

template <typename T> static void addHighProducts(Adder<T> A) {
  using Double = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  auto High = [](T X, T Y) { return T((Double(X) * Double(Y)) >> BitsOf<T>); };
  A.add("mul.hi", High);
  A.add("mad.hi",
        [](T X, T Y, T Z) { return T(Wide<T>(T((Double(X) * Double(Y)) >> BitsOf<T>)) + Wide<T>(Z)); });
}

template <typename T, typename Double> static void addWideProducts(Adder<T> A) {
  A.Table["mul.wide." + A.Type] = [](uint64_t *Out, const uint64_t *X, const uint64_t *Y, const uint64_t *) {
    for (unsigned Lane = 0; Lane != TraceLanes; ++Lane)
      Out[Lane] = bitsOf(Double(Double(valueOf<T>(X[Lane])) * Double(valueOf<T>(Y[Lane]))));
  };
  A.Table["mad.wide." + A.Type] = [](uint64_t *Out, const uint64_t *X, const uint64_t *Y, const uint64_t *Z) {
    for (unsigned Lane = 0; Lane != TraceLanes; ++Lane)
      Out[Lane] = bitsOf(Double(Wide<Double>(Double(valueOf<T>(X[Lane])) * Double(valueOf<T>(Y[Lane]))) +
                                Wide<Double>(Z[Lane])));
  };
}

template <typename T> static void addComparisons(Adder<T> A) {
  A.add("setp.eq", [](T X, T Y) { return X == Y; });
  A.add("setp.ne", [](T X, T Y) { return X != Y; });
  A.add("setp.lt", [](T X, T Y) { return X < Y; });
  A.add("setp.le", [](T X, T Y) { return X <= Y; });
  A.add("setp.gt", [](T X, T Y) { return X > Y; });
  A.add("setp.ge", [](T X, T Y) { return X >= Y; });
  A.add("setp.lo", [](T X, T Y) { return X < Y; });
  A.add("setp.ls", [](T X, T Y) { return X <= Y; });
  A.add("setp.hi", [](T X, T Y) { return X > Y; });
  A.add("setp.hs", [](T X, T Y) { return X >= Y; });
}

template <typename T> static void addMoves(OperationTable &Table, StringRef Type) {
  Table[("mov." + Type).str()] = onLanesOf<T>([](T X) { return X; });
  Table[("selp." + Type).str()] = [](uint64_t *Out, const uint64_t *X, const uint64_t *Y, const uint64_t *P) {
    for (unsigned Lane = 0; Lane != TraceLanes; ++Lane)
      Out[Lane] = bitsOf(valueOf<T>(P[Lane] ? X[Lane] : Y[Lane]));
  };
}

template <typename T> static void addBitwise(OperationTable &Table, const char *Type) {
  Adder<T> A{Table, Type};
  A.add("and", [](T X, T Y) { return T(X & Y); });
  A.add("or", [](T X, T Y) { return T(X | Y); });
  A.add("xor", [](T X, T Y) { return T(X ^ Y); });
  A.add("not", [](T X) { return T(~X); });
  A.add("cnot", [](T X) { return T(X == 0); });
  A.add("shl", [](T X, T Y) { return uint32_t(Y) < BitsOf<T> ? T(Wide<T>(X) << uint32_t(Y)) : T(0); });
  A.add("shr", [](T X, T Y) { return uint32_t(Y) < BitsOf<T> ? T(X >> uint32_t(Y)) : T(0); });
  if constexpr (sizeof(T) > 2) {
    A.add("popc", [](T X) { return uint32_t(llvm::popcount(X)); });
    A.add("clz", [](T X) { return uint32_t(llvm::countl_zero(X)); });
    A.add("brev", [](T X) { return llvm::reverseBits(X); });
  }
  addComparisons(A);
  addMoves<T>(Table, Type);
}

template <typename T> static void addType(OperationTable &Table, const char *Type) {
  Adder<T> A{Table, Type};
  addArithmetic(A);
  addComparisons(A);
  addMoves<T>(Table, Type);
  if constexpr (sizeof(T) == 8)
    addHighProducts(A);
  else {
    using Double = std::conditional_t<sizeof(T) == 4, int64_t, int32_t>;
    addWideProducts<T, std::conditional_t<std::is_signed_v<T>, Double, std::make_unsigned_t<Double>>>(A);
    addHighProducts(A);
  }
}

static void addPredicates(OperationTable &Table) {
  Table["and.pred"] = onLanesOf<uint64_t>([](uint64_t X, uint64_t Y) { return X & Y; });
  Table["or.pred"] = onLanesOf<uint64_t>([](uint64_t X, uint64_t Y) { return X | Y; });
  Table["xor.pred"] = onLanesOf<uint64_t>([](uint64_t X, uint64_t Y) { return X ^ Y; });
  Table["not.pred"] = onLanesOf<uint64_t>([](uint64_t X) { return X ^ 1; });
  // An immediate is true where it is not zero: -1.
  Table["mov.pred"] = onLanesOf<uint64_t>([](uint64_t X) { return X & 1; });
}

static void addFields(OperationTable &Table) {
  Table["bfe.u32"] = onLanesOf<uint32_t>([](uint32_t X, uint32_t Position, uint32_t Length) {
    Position &= 0xFF;
    Length &= 0xFF;
    uint64_t Shifted = Position < 32 ? uint64_t(X) >> Position : 0;
    return uint32_t(Length < 32 ? Shifted & maskTrailingOnes<uint64_t>(Length) : Shifted);
  });
  Table["shf.l.wrap.b32"] = onLanesOf<uint32_t>([](uint32_t Low, uint32_t High, uint32_t By) {
    return uint32_t((uint64_t(High) << 32 | Low) << (By & 31) >> 32);
  });
  Table["shf.r.wrap.b32"] = onLanesOf<uint32_t>([](uint32_t Low, uint32_t High, uint32_t By) {
    return uint32_t((uint64_t(High) << 32 | Low) >> (By & 31));
  });
}

void addIntegerOperations(OperationTable &Table) {
  addType<uint16_t>(Table, "u16");
  addType<int16_t>(Table, "s16");
  addType<uint32_t>(Table, "u32");
  addType<int32_t>(Table, "s32");
  addType<uint64_t>(Table, "u64");
  addType<int64_t>(Table, "s64");
  addBitwise<uint16_t>(Table, "b16");
  addBitwise<uint32_t>(Table, "b32");
  addBitwise<uint64_t>(Table, "b64");
  addPredicates(Table);
  addFields(Table);
}

} // namespace gpuprune
