//===- FloatOperations.cpp - Floating-point instructions of PTX -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that round to the nearest, and the approximations as HostExecution has them (computed in
// double). Without .ftz but for approximations: a kernel that is compiled to flush denormals is not traced
// where they matter.
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <string>

using namespace llvm;

namespace gpuprune {

namespace {

template <typename T> struct FloatAdder {
  OperationTable &Table;
  std::string Type;

  template <typename F> void add(StringRef Name, F Function) {
    Table[(Name + "." + Type).str()] = onLanesOf<T>(Function);
  }
  /// Which rounds to the nearest, whether that is written or not.
  template <typename F> void addRounded(StringRef Name, F Function) {
    add(Name, Function);
    add((Name + ".rn").str(), Function);
  }
};

} // namespace

/// Ordered comparisons, and by a "u" behind the name those that NaN passes.
template <typename T> static void addFloatComparisons(FloatAdder<T> A) {
  A.add("setp.eq", [](T X, T Y) { return X == Y; });
  A.add("setp.ne", [](T X, T Y) { return X < Y || X > Y; });
  A.add("setp.lt", [](T X, T Y) { return X < Y; });
  A.add("setp.le", [](T X, T Y) { return X <= Y; });
  A.add("setp.gt", [](T X, T Y) { return X > Y; });
  A.add("setp.ge", [](T X, T Y) { return X >= Y; });
  A.add("setp.equ", [](T X, T Y) { return !(X < Y || X > Y); });
  A.add("setp.neu", [](T X, T Y) { return X != Y; });
  A.add("setp.ltu", [](T X, T Y) { return !(X >= Y); });
  A.add("setp.leu", [](T X, T Y) { return !(X > Y); });
  A.add("setp.gtu", [](T X, T Y) { return !(X <= Y); });
  A.add("setp.geu", [](T X, T Y) { return !(X < Y); });
  A.add("setp.num", [](T X, T Y) { return !std::isnan(X) && !std::isnan(Y); });
  A.add("setp.nan", [](T X, T Y) { return std::isnan(X) || std::isnan(Y); });
}

template <typename T> static void addFloatArithmetic(FloatAdder<T> A) {
  A.addRounded("add", [](T X, T Y) { return X + Y; });
  A.addRounded("sub", [](T X, T Y) { return X - Y; });
  A.addRounded("mul", [](T X, T Y) { return X * Y; });
  A.addRounded("fma", [](T X, T Y, T Z) { return std::fma(X, Y, Z); });
  A.addRounded("mad", [](T X, T Y, T Z) { return std::fma(X, Y, Z); });
  A.addRounded("div", [](T X, T Y) { return X / Y; });
  A.addRounded("rcp", [](T X) { return 1 / X; });
  A.addRounded("sqrt", [](T X) { return std::sqrt(X); });
  A.add("neg", [](T X) { return -X; });
  A.add("abs", [](T X) { return std::fabs(X); });
  A.add("min", [](T X, T Y) { return std::fmin(X, Y); });
  A.add("max", [](T X, T Y) { return std::fmax(X, Y); });
  A.add("mov", [](T X) { return X; });
  A.Table["selp." + A.Type] = [](uint64_t *Out, const uint64_t *X, const uint64_t *Y, const uint64_t *P) {
    for (unsigned Lane = 0; Lane != TraceLanes; ++Lane)
      Out[Lane] = P[Lane] ? X[Lane] : Y[Lane];
  };
}

static void addApproximations(OperationTable &Table) {
  for (const char *Type : {"f32", "ftz.f32"}) {
    FloatAdder<float> A{Table, Type};
    A.add("rcp.approx", [](float X) { return 1 / X; });
    A.add("sqrt.approx", [](float X) { return std::sqrt(X); });
    A.add("rsqrt.approx", [](float X) { return float(1 / std::sqrt(double(X))); });
    A.add("ex2.approx", [](float X) { return float(std::exp2(double(X))); });
    A.add("lg2.approx", [](float X) { return float(std::log2(double(X))); });
    A.add("sin.approx", [](float X) { return float(std::sin(double(X))); });
    A.add("cos.approx", [](float X) { return float(std::cos(double(X))); });
    A.add("div.approx", [](float X, float Y) { return X / Y; });
    A.add("div.full", [](float X, float Y) { return X / Y; });
  }
  Table["tanh.approx.f32"] = onLanesOf<float>([](float X) { return float(std::tanh(double(X))); });
}

void addFloatOperations(OperationTable &Table) {
  FloatAdder<float> Single{Table, "f32"};
  FloatAdder<double> Double{Table, "f64"};
  addFloatArithmetic(Single);
  addFloatArithmetic(Double);
  addFloatComparisons(Single);
  addFloatComparisons(Double);
  addApproximations(Table);
}

} // namespace gpuprune
