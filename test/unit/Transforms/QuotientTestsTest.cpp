//===- QuotientTestsTest.cpp ----------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Math/QuotientTests.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A comparison %c of %q = %n / %d.
class Comparison {
public:
  explicit Comparison(std::string Body, StringRef Type = "float") {
    StringRef Suffix = Type == "float" ? "f32" : "f64";
    for (auto [From, To] : {std::pair("TYPE", Type), std::pair("SUFFIX", Suffix)})
      for (size_t At; (At = Body.find(From)) != std::string::npos;)
        Body.replace(At, strlen(From), To);
    SMDiagnostic Error;
    M = parseAssemblyString(
        formatv("define void @f({0} %a, {0} %b, {0} %e) {{\n{1}\n  ret void\n}", Type, Body).str(), Error,
        Context);
    EXPECT_TRUE(M) << Error.getMessage().str() << "\n" << Body;
    Function &F = *M->getFunction("f");
    DominatorTree DT(F);
    FloatRanges Ranges(F, DT);
    auto Value = [&](StringRef Name) { return F.getValueSymbolTable()->lookup(Name); };
    if (std::optional<QuotientTest> Test = quotientTest(*cast<FCmpInst>(Value("c")), Ranges)) {
      EXPECT_EQ(Test->Numerator, Value("n"));
      EXPECT_EQ(Test->Denominator, Value("d"));
      Predicate = Test->Predicate;
    }
  }

  std::optional<CmpInst::Predicate> Predicate; ///< Of %n with %d, where that decides.

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;
};

template <typename T> bool holds(CmpInst::Predicate P, T A, T B) {
  unsigned Relation = std::isunordered(A, B) ? CmpInst::FCMP_UNO
                      : A == B               ? CmpInst::FCMP_OEQ
                      : A > B                ? CmpInst::FCMP_OGT
                                             : CmpInst::FCMP_OLT;
  return (P & Relation) != 0;
}

/// An operand of the division, in IR and as computed from an argument.
template <typename T> struct Operand {
  const char *Text;
  T (*Of)(T);
};

template <typename T> constexpr T Most = std::numeric_limits<T>::max();

template <typename T> T anyNumber(T X) { return X; }
template <typename T> T boundedBelow(T X) { return std::isnan(X) || X < -Most<T> ? -Most<T> : X; }
template <typename T> T boundedAbove(T X) { return std::isnan(X) || X > Most<T> ? Most<T> : X; }

template <typename T> const Operand<T> Any{"%n = fmul TYPE %a, 1.0", anyNumber<T>};

/// Not the negative infinity.
template <typename T>
const Operand<T> Bounded{sizeof(T) == 4
                             ? "%n = call TYPE @llvm.maxnum.SUFFIX(TYPE %a, TYPE 0xC7EFFFFFE0000000)"
                             : "%n = call TYPE @llvm.maxnum.SUFFIX(TYPE %a, TYPE 0xFFEFFFFFFFFFFFFF)",
                         boundedBelow<T>};

template <typename T>
const Operand<T> Denominators[] = {
    {"%d = fmul TYPE %b, %b", [](T X) { return X * X; }},
    {"%d = call TYPE @llvm.fabs.SUFFIX(TYPE %b)", [](T X) { return std::fabs(X); }},
    {"%m = call TYPE @llvm.fabs.SUFFIX(TYPE %b)\n"
     "%d = call TYPE @llvm.fma.SUFFIX(TYPE %b, TYPE %b, TYPE %m)",
     [](T X) { return std::fma(X, X, std::fabs(X)); }}};

/// Finite.
template <typename T>
const Operand<T> Finite{sizeof(T) == 4
                            ? "%m = call TYPE @llvm.fabs.SUFFIX(TYPE %b)\n"
                              "%h = call TYPE @llvm.minnum.SUFFIX(TYPE %m, TYPE 0x47EFFFFFE0000000)\n"
                              "%d = fadd TYPE %h, 0.0"
                            : "%m = call TYPE @llvm.fabs.SUFFIX(TYPE %b)\n"
                              "%h = call TYPE @llvm.minnum.SUFFIX(TYPE %m, TYPE 0x7FEFFFFFFFFFFFFF)\n"
                              "%d = fadd TYPE %h, 0.0",
                        [](T X) { return boundedAbove(std::fabs(X)); }};

/// What is compared: of the quotient, and with what.
template <typename T> struct Form {
  const char *Text;
  T (*Of)(T);
  T With;
};

template <typename T>
const Form<T> Forms[] = {
    {"%l = fneg TYPE %q\n%c = fcmp {0} TYPE %q, 1.0", [](T Q) { return Q; }, 1},
    {"%l = fsub TYPE 1.0, %q\n%c = fcmp {0} TYPE %l, 0.0", [](T Q) { return 1 - Q; }, 0},
    {"%l = fsub TYPE %q, 1.0\n%c = fcmp {0} TYPE %l, -0.0", [](T Q) { return Q - 1; }, T(-0.0)},
    {"%l = fadd TYPE %q, -1.0\n%c = fcmp {0} TYPE %l, 0.0", [](T Q) { return Q + -1; }, 0}};

/// Pairs of special numbers, pairs that differ little, and random ones.
template <typename T> std::vector<std::pair<T, T>> pairs() {
  using Limits = std::numeric_limits<T>;
  const T Special[] = {0,
                       Limits::denorm_min(),
                       Limits::denorm_min() * 5,
                       Limits::min(),
                       1,
                       std::nextafter(T(1), T(0)),
                       std::nextafter(T(2), T(0)),
                       3,
                       Most<T>,
                       Limits::infinity(),
                       Limits::quiet_NaN(),
                       std::sqrt(Most<T>),
                       Most<T> / 2,
                       std::nextafter(Limits::min(), T(0)),
                       std::sqrt(Limits::min()),
                       T(0.1)};
  std::vector<std::pair<T, T>> All;
  for (T X : Special)
    for (T Y : Special)
      for (T Sign : {1, -1})
        for (T Other : {1, -1})
          All.push_back({Sign * X, Other * Y});
  std::mt19937_64 Random(1);
  for (unsigned I = 0; I < 5000; ++I) {
    auto Bits = [&] {
      if constexpr (sizeof(T) == 4)
        return bit_cast<float>(uint32_t(Random()));
      else
        return bit_cast<double>(uint64_t(Random()));
    };
    T X = Bits();
    All.push_back({Bits(), X});
    for (T D : {X * X, std::fabs(X), std::fma(X, X, std::fabs(X))})
      for (T N : {D, std::nextafter(D, T(0)), std::nextafter(D, Limits::infinity())})
        All.push_back({N, X});
  }
  return All;
}

constexpr CmpInst::Predicate Less[] = {CmpInst::FCMP_OLT, CmpInst::FCMP_UGE},
                             Greater[] = {CmpInst::FCMP_OGT, CmpInst::FCMP_ULE};

template <typename T> void compare(const Operand<T> &N, const Operand<T> &D, bool DecidesLess) {
  static const std::vector<std::pair<T, T>> Pairs = pairs<T>();
  for (const Form<T> &F : Forms<T>)
    for (auto P = CmpInst::FCMP_OEQ; P <= CmpInst::FCMP_UNE; P = CmpInst::Predicate(P + 1)) {
      std::string Text = formatv(false, F.Text, CmpInst::getPredicateName(P));
      SCOPED_TRACE(std::string(N.Text) + "\n" + D.Text + "\n" + Text);
      Comparison Of(std::string(N.Text) + "\n" + D.Text + "\n%q = fdiv TYPE %n, %d\n" + Text,
                    sizeof(T) == 4 ? "float" : "double");
      // 1 - q > 0 is q < 1.
      CmpInst::Predicate OfQuotient = &F == &Forms<T>[1] ? CmpInst::getSwappedPredicate(P) : P;
      EXPECT_EQ(Of.Predicate.has_value(),
                is_contained(Greater, OfQuotient) || (DecidesLess && is_contained(Less, OfQuotient)));
      unsigned Wrong = 0;
      for (auto [A, B] : Pairs)
        if (T Above = N.Of(A), Below = D.Of(B); Of.Predicate)
          Wrong += holds(*Of.Predicate, Above, Below) != holds(P, F.Of(Above / Below), F.With);
      EXPECT_EQ(Wrong, 0U);
    }
}

template <typename T> void compareAll() {
  for (const Operand<T> &D : Denominators<T>) {
    compare(Any<T>, D, /*DecidesLess=*/false);
    compare(Bounded<T>, D, /*DecidesLess=*/true);
  }
  compare(Any<T>, Finite<T>, /*DecidesLess=*/true);
}

TEST(QuotientTests, DecideAsTheQuotientOfFloats) { compareAll<float>(); }
TEST(QuotientTests, DecideAsTheQuotientOfDoubles) { compareAll<double>(); }

/// Whether something decides %n / %d > 1.
bool decides(const Twine &Body) {
  return Comparison(("%n = fmul float %a, 1.0\n" + Body +
                     "\n%q = fdiv float %n, %d\n"
                     "%c = fcmp ogt float %q, 1.0")
                        .str())
      .Predicate.has_value();
}

TEST(QuotientTests, DenominatorsThatMayBeNegativeOrMinusZero) {
  EXPECT_FALSE(decides("%d = fmul float %b, %e"));
  EXPECT_FALSE(decides("%m = call float @llvm.fabs.f32(float %b)\n%d = fmul float %m, -0.0"));
  EXPECT_FALSE(decides("%m = call float @llvm.fabs.f32(float %b)\n%d = call float @llvm.sqrt.f32(float %m)"));
  EXPECT_FALSE(decides("%m = fmul float %b, %b\n%d = fneg float %m"));
}

/// b * b + e is -0 where it is less than zero by too little, and -0 >= 0.
TEST(QuotientTests, AMultiplyAddThatIsRoundedToMinusZero) {
  const char *const Guard = "%d = call float @llvm.fma.f32(float %b, float %b, float %e)\n"
                            "%g = fcmp oge float %d, 0.0\nbr i1 %g, label %in, label %out\n"
                            "out:\nret void\nin:";
  EXPECT_FALSE(decides(Guard));
  float Least = 0x1p-149f, B = std::nextafter(std::sqrt(Least), 0.0f), D = std::fma(B, B, -Least);
  EXPECT_TRUE(D >= 0.0f && std::signbit(D));
}

TEST(QuotientTests, OperationsThatMayBeOtherOnes) {
  auto Decides = [](const char *Quotient, const char *Compare) {
    return Comparison(std::string("%n = fmul float %a, 1.0\n%d = fmul float %b, %b\n") + Quotient + "\n" +
                      Compare)
        .Predicate.has_value();
  };
  const char *const Plain = "%q = fdiv float %n, %d", *const Greater = "%c = fcmp ogt float %q, 1.0";
  EXPECT_TRUE(Decides(Plain, Greater));
  EXPECT_FALSE(Decides("%q = fdiv arcp float %n, %d", Greater));
  EXPECT_FALSE(Decides("%q = fdiv float %n, %d, !fpmath !{float 2.5}", Greater));
  EXPECT_FALSE(Decides(Plain, "%c = fcmp nnan ogt float %q, 1.0"));
  EXPECT_FALSE(Decides(Plain, "%l = fsub reassoc float %q, 1.0\n%c = fcmp ogt float %l, 0.0"));
  EXPECT_FALSE(Decides(Plain, "%c = fcmp ogt float %q, 2.0"));
}

} // namespace
