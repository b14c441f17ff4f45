//===- ExpressionTest.cpp - Integer expressions ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Expression.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

static const Environment Values = {{"n", 100}, {"TILE", 16}, {"block.x", 32}, {"zero", 0}};

static int64_t valueOf(StringRef Text) {
  Expected<Expression> Parsed = Expression::parse(Text);
  return test::valueOf(Parsed ? Parsed->evaluate(Values) : Parsed.takeError());
}

/// The message of the error that parsing or evaluating \p Text gives.
static std::string errorOf(StringRef Text) {
  Expected<Expression> Parsed = Expression::parse(Text);
  return test::inputErrorOf(Parsed ? Parsed->evaluate(Values).takeError() : Parsed.takeError());
}

TEST(Expression, ArithmeticAndPrecedence) {
  EXPECT_EQ(valueOf("1 + 2 * 3"), 7);
  EXPECT_EQ(valueOf("(1 + 2) * 3"), 9);
  EXPECT_EQ(valueOf("10 - 4 - 3"), 3);
  EXPECT_EQ(valueOf("100 / 10 / 5"), 2);
  EXPECT_EQ(valueOf("-2 * -3"), 6);
  EXPECT_EQ(valueOf("--5"), 5);
  EXPECT_EQ(valueOf("17 % 5"), 2);
  EXPECT_EQ(valueOf("-17 % 5"), -2);
  EXPECT_EQ(valueOf("0x10 + 0XfF"), 271);
  EXPECT_EQ(valueOf("2*n*n + TILE"), 20016);
  EXPECT_EQ(valueOf("n / 4"), 25);
  EXPECT_EQ(valueOf(" block.x\t*\n2 "), 64);
}

TEST(Expression, Functions) {
  EXPECT_EQ(valueOf("cdiv(n, TILE)"), 7);
  EXPECT_EQ(valueOf("cdiv(96, TILE)"), 6);
  EXPECT_EQ(valueOf("cdiv(-7, 2)"), -3);
  EXPECT_EQ(valueOf("cdiv(7, -2)"), -3);
  EXPECT_EQ(valueOf("cdiv(-7, -2)"), 4);
  EXPECT_EQ(valueOf("min(n, TILE, 3)"), 3);
  EXPECT_EQ(valueOf("max(n, TILE) + min(1, 2)"), 101);
}

TEST(Expression, ComparisonsAndLogic) {
  EXPECT_EQ(valueOf("1 < 2"), 1);
  EXPECT_EQ(valueOf("2 <= 1"), 0);
  EXPECT_EQ(valueOf("n > TILE && TILE >= 16"), 1);
  EXPECT_EQ(valueOf("n == 100 && n != 100 || 1"), 1);
  EXPECT_EQ(valueOf("!n"), 0);
  EXPECT_EQ(valueOf("!!n"), 1);
  EXPECT_EQ(valueOf("7 || 0"), 1);
  EXPECT_EQ(valueOf("0 || 7"), 1);
  EXPECT_EQ(valueOf("7 && 9"), 1);
  EXPECT_EQ(valueOf("1 + 1 == 2"), 1);
}

TEST(Expression, TheRightSideIsLookedAtOnlyWhereItDecides) {
  EXPECT_EQ(valueOf("zero != 0 && n % zero == 0"), 0);
  EXPECT_EQ(valueOf("zero == 0 || n / zero"), 1);
  EXPECT_EQ(errorOf("zero == 0 && n % zero == 0"),
            "'zero == 0 && n % zero == 0', column 16: division by zero");
}

TEST(Expression, InexactDivision) {
  EXPECT_EQ(errorOf("n / TILE"),
            "'n / TILE', column 3: 100 / 16 leaves the remainder 4; cdiv(a, b) rounds up");
  EXPECT_EQ(valueOf("-9223372036854775807 / -1"), INT64_MAX);
}

TEST(Expression, DivisionByZero) {
  EXPECT_EQ(errorOf("1 / 0"), "'1 / 0', column 3: division by zero");
  EXPECT_EQ(errorOf("cdiv(1, 0)"), "'cdiv(1, 0)', column 1: division by zero");
}

TEST(Expression, Overflow) {
  for (StringRef Text :
       {"0x7fffffffffffffff + 1", "-0x7fffffffffffffff - 2", "0x4000000000000000 * 2",
        "-(-0x7fffffffffffffff - 1)", "(-0x7fffffffffffffff - 1) / -1", "cdiv(-0x7fffffffffffffff - 1, -1)"})
    EXPECT_NE(errorOf(Text).find("the result does not fit in 64 bits"), std::string::npos) << Text.str();
  EXPECT_EQ(valueOf("(-0x7fffffffffffffff - 1) % -1"), 0);
  EXPECT_EQ(errorOf("9223372036854775808"),
            "'9223372036854775808', column 1: '9223372036854775808' does not fit in 64 bits");
}

TEST(Expression, UnknownNameSaysTheNearest) {
  EXPECT_EQ(errorOf("n / TILES"), "'n / TILES', column 5: unknown name 'TILES'; did you mean 'TILE'? (known: "
                                  "TILE, block.x, n, zero)");
  EXPECT_NE(errorOf("div(n, 2)").find("column 1: unknown function 'div'; did you mean 'cdiv'?"),
            std::string::npos);
}

TEST(Expression, SyntaxErrors) {
  EXPECT_EQ(errorOf(""), "'', column 1: expected a number, a name or '(', found the end");
  EXPECT_EQ(errorOf("n +"), "'n +', column 4: expected a number, a name or '(', found the end");
  EXPECT_EQ(errorOf("n 2"), "'n 2', column 3: expected an operator or the end, found '2'");
  EXPECT_EQ(errorOf("(n"), "'(n', column 3: expected ')' for the '(' at column 1, found the end");
  EXPECT_EQ(errorOf("n)"), "'n)', column 2: expected an operator or the end, found ')'");
  EXPECT_EQ(errorOf("n = 2"), "'n = 2', column 3: expected an operator or the end, found '='");
  EXPECT_EQ(errorOf("1.5"), "'1.5', column 1: '1.5' is not a decimal or 0x integer");
  EXPECT_EQ(errorOf("0x"), "'0x', column 1: '0x' is not a decimal or 0x integer");
  EXPECT_EQ(errorOf("12ab"), "'12ab', column 1: '12ab' is not a decimal or 0x integer");
  EXPECT_EQ(errorOf("cdiv(1)"), "'cdiv(1)', column 1: cdiv takes two arguments, found 1");
  EXPECT_EQ(errorOf("cdiv(1,2,3)"), "'cdiv(1,2,3)', column 1: cdiv takes two arguments, found 3");
  EXPECT_EQ(errorOf("min(1)"), "'min(1)', column 1: min takes at least two arguments, found 1");
}

TEST(Expression, NamesInOrderOfFirstUse) {
  Expected<Expression> Parsed = Expression::parse("TILE * n + TILE * min(m, n)");
  ASSERT_TRUE(bool(Parsed));
  EXPECT_EQ(Parsed->names().vec(), (std::vector<std::string>{"TILE", "n", "m"}));
}

TEST(Expression, DeepNestingIsAnErrorAndLongChainsAreNot) {
  std::string Deep = std::string(100000, '(') + "1" + std::string(100000, ')');
  EXPECT_NE(errorOf(Deep).find("nested more than 100 deep"), std::string::npos);
  std::string Chain = "1";
  for (int I = 0; I != 100000; ++I)
    Chain += "+1";
  EXPECT_EQ(valueOf(Chain), 100001);
  EXPECT_EQ(valueOf(std::string(100000, '-') + "1"), 1);
}

TEST(Expression, NoInputCrashes) {
  std::mt19937 Random(1);
  StringRef Alphabet = "0123456789nT()+-*/%<>=!&|,x. cdivminax\xff";
  for (int I = 0; I != 50000; ++I) {
    std::string Text;
    for (unsigned Length = Random() % 24; Length; --Length)
      Text += Alphabet[Random() % Alphabet.size()];
    Expected<Expression> Parsed = Expression::parse(Text);
    if (!Parsed) {
      EXPECT_FALSE(takeError(Parsed.takeError()).Text.empty());
      continue;
    }
    Expected<int64_t> Value = Parsed->evaluate(Values);
    if (!Value)
      EXPECT_FALSE(takeError(Value.takeError()).Text.empty());
  }
}

static double realOf(StringRef Text) {
  Expected<Expression> Parsed = Expression::parse(Text, Arithmetic::Reals);
  return test::valueOf(Parsed ? Parsed->evaluateReal(Values) : Parsed.takeError());
}

static std::string realErrorOf(StringRef Text) {
  Expected<Expression> Parsed = Expression::parse(Text, Arithmetic::Reals);
  return test::inputErrorOf(Parsed ? Parsed->evaluateReal(Values).takeError() : Parsed.takeError());
}

TEST(Expression, Reals) {
  EXPECT_EQ(realOf("1.0 / n"), 1.0 / 100);
  EXPECT_EQ(realOf("-1.0/n"), -1.0 / 100);
  EXPECT_EQ(realOf("1 / 3"), 1.0 / 3) << "where an integer would have a remainder";
  EXPECT_EQ(realOf("1e-3 + 2.5E+2 * .5"), 1e-3 + 125);
  EXPECT_EQ(realOf("2e3-1"), 1999);
  EXPECT_EQ(realOf("0x10 + 1"), 17);
  EXPECT_EQ(realOf("5.5 % 2"), 1.5);
  EXPECT_EQ(realOf("cdiv(n, 3) + min(0.5, n) + max(1, 2.5)"), 34 + 0.5 + 2.5);
  EXPECT_EQ(realOf("(n > 99.5) + (n <= 0.1) + !n + (zero || 0.5)"), 2);
  EXPECT_EQ(realOf("zero && 1.0 / zero"), 0);
  EXPECT_EQ(realOf("99999999999999999999"), 1e20) << "beyond 64 bits";
  EXPECT_NE(realErrorOf("1.0 / zero").find("column 5: division by zero"), std::string::npos)
      << realErrorOf("1.0 / zero");
  EXPECT_NE(realErrorOf("1e308 * n").find("does not fit in double precision"), std::string::npos);
  EXPECT_NE(realErrorOf("1e999").find("'1e999' does not fit in double precision"), std::string::npos);
  EXPECT_NE(realErrorOf("1.5.2").find("'1.5.2' is no number"), std::string::npos);
  EXPECT_NE(realErrorOf("1e -3").find("'1e' is no number"), std::string::npos);
  EXPECT_NE(realErrorOf("1e- 3").find("is no number"), std::string::npos);
  EXPECT_NE(realErrorOf("1.5 n").find("expected an operator"), std::string::npos);
  EXPECT_NE(realErrorOf("1.0 / k").find("unknown name 'k'"), std::string::npos);
  EXPECT_NE(realErrorOf(".").find("expected a number"), std::string::npos);
  EXPECT_NE(errorOf("1.5").find("is not a decimal or 0x integer"), std::string::npos);
  EXPECT_NE(errorOf(".5").find("expected a number"), std::string::npos);
}
