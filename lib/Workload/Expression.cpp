//===- Expression.cpp - Expressions of a workload --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Expression.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/TextCursor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

Error Expression::errorAt(unsigned Column, const Twine &Message) const {
  return TextCursor("", Text).errorAt(Column - 1, Message);
}

static std::optional<int64_t> checkedQuotient(int64_t Left, int64_t Right) {
  if (Left == std::numeric_limits<int64_t>::min() && Right == -1)
    return std::nullopt;
  return Left / Right;
}

static std::optional<int64_t> checkedCeilQuotient(int64_t Left, int64_t Right) {
  std::optional<int64_t> Quotient = checkedQuotient(Left, Right);
  bool RoundUp = Quotient && Left % Right != 0 && (Left < 0) == (Right < 0);
  return RoundUp ? checkedAdd<int64_t>(*Quotient, 1) : Quotient;
}

Expected<int64_t> Expression::apply(const Instruction &I, int64_t Left, int64_t Right) const {
  bool Divides = I.Code == Op::Divide || I.Code == Op::Remainder || I.Code == Op::CeilDivide;
  if (Divides && Right == 0)
    return errorAt(I.Column, "division by zero");
  std::optional<int64_t> Result;
  switch (I.Code) {
  case Op::Add:
    Result = checkedAdd(Left, Right);
    break;
  case Op::Subtract:
    Result = checkedSub(Left, Right);
    break;
  case Op::Multiply:
    Result = checkedMul(Left, Right);
    break;
  case Op::Divide:
    if (Right != -1 && Left % Right != 0)
      return errorAt(I.Column, Twine(Left) + " / " + Twine(Right) + " leaves the remainder " +
                                   Twine(Left % Right) + "; cdiv(a, b) rounds up");
    Result = checkedQuotient(Left, Right);
    break;
  case Op::Remainder:
    Result = Right == -1 ? 0 : Left % Right;
    break;
  case Op::CeilDivide:
    Result = checkedCeilQuotient(Left, Right);
    break;
  case Op::Minimum:
    Result = std::min(Left, Right);
    break;
  case Op::Maximum:
    Result = std::max(Left, Right);
    break;
  case Op::Less:
    Result = Left < Right;
    break;
  case Op::LessEqual:
    Result = Left <= Right;
    break;
  case Op::Greater:
    Result = Left > Right;
    break;
  case Op::GreaterEqual:
    Result = Left >= Right;
    break;
  case Op::Equal:
    Result = Left == Right;
    break;
  case Op::NotEqual:
    Result = Left != Right;
    break;
  default:
    llvm_unreachable("not a binary operator");
  }
  if (!Result)
    return errorAt(I.Column,
                   "the result does not fit in 64 bits (of " + Twine(Left) + " and " + Twine(Right) + ")");
  return *Result;
}

Expected<int64_t> Expression::lookup(const Instruction &I, const Environment &Values) const {
  const std::string &Name = Names[I.Operand];
  auto Found = Values.find(Name);
  if (Found != Values.end())
    return Found->second;
  SmallVector<StringRef> Known(Values.keys());
  llvm::sort(Known);
  return errorAt(I.Column, "unknown name '" + Name + "'" + nearestNameHint(Name, Known));
}

/// Runs the code with numbers of \p T, of which \p Apply makes one of two.
template <typename T>
Expected<T> Expression::run(const Environment &Values,
                            Expected<T> (Expression::*Apply)(const Instruction &, T, T) const) const {
  SmallVector<T, 16> Stack;
  for (size_t At = 0; At != Code.size(); ++At) {
    const Instruction &I = Code[At];
    switch (I.Code) {
    case Op::Constant:
      Stack.push_back(T(I.Operand));
      continue;
    case Op::Real:
      Stack.push_back(T(std::bit_cast<double>(I.Operand)));
      continue;
    case Op::Name: {
      Expected<int64_t> Value = lookup(I, Values);
      if (!Value)
        return Value.takeError();
      Stack.push_back(T(*Value));
      continue;
    }
    case Op::Negate:
      if (std::is_integral_v<T> && Stack.back() == std::numeric_limits<T>::min())
        return errorAt(I.Column, "the result does not fit in 64 bits");
      Stack.back() = -Stack.back();
      continue;
    case Op::Not:
      Stack.back() = Stack.back() == 0;
      continue;
    case Op::ToBool:
      Stack.back() = Stack.back() != 0;
      continue;
    case Op::SkipIfZero:
    case Op::SkipIfNonZero:
      if ((Stack.back() != 0) == (I.Code == Op::SkipIfNonZero)) {
        Stack.back() = Stack.back() != 0;
        At = I.Operand - 1;
      } else {
        Stack.pop_back();
      }
      continue;
    default:
      break;
    }
    T Right = Stack.pop_back_val();
    Expected<T> Result = (this->*Apply)(I, Stack.back(), Right);
    if (!Result)
      return Result;
    Stack.back() = *Result;
  }
  return Stack.back();
}

Expected<int64_t> Expression::evaluate(const Environment &Values) const {
  return run(Values, &Expression::apply);
}

Expected<double> Expression::evaluateReal(const Environment &Values) const {
  return run(Values, &Expression::applyReal);
}

/// Recursive descent with precedence climbing; emits postfix code.
class ExpressionParser {
public:
  /// \p Text must outlive this.
  ExpressionParser(StringRef Text, Arithmetic Kind) : Kind(Kind), At("", Text) { Result.Text = Text.str(); }
  Expected<Expression> run();

private:
  using Op = Expression::Op;
  struct BinaryOperator {
    StringRef Spelling;
    unsigned Precedence;
    Op Code;
  };

  /// Deeper nesting than anyone writes, and far from the end of the stack.
  static constexpr unsigned MaxDepth = 100;

  Error parseBinary(unsigned MinPrecedence, unsigned Depth);
  Error parseUnary(unsigned Depth);
  Error parsePrimary(unsigned Depth);
  Error parseNumber();
  Error parseReal();
  bool startsNumber(StringRef Rest) const;
  Error parseNameOrCall(unsigned Depth);
  Error parseCall(StringRef Function, unsigned Column, unsigned Depth);
  Error expectClosing(unsigned OpenColumn);
  const BinaryOperator *peekBinary();
  void emitName(StringRef Name, unsigned Column);

  // White space may stand before whatever is looked at.
  StringRef rest() {
    At.skipWhiteSpace();
    return At.rest();
  }
  bool consume(StringRef Token) {
    At.skipWhiteSpace();
    return At.consume(Token);
  }
  unsigned column() {
    At.skipWhiteSpace();
    return At.position() + 1;
  }
  std::string found() {
    At.skipWhiteSpace();
    return At.found();
  }
  /// The number or name that comes next.
  StringRef takeWord() {
    At.skipWhiteSpace();
    return At.take([](char C) { return isAlnum(C) || C == '_' || C == '.'; });
  }
  void emit(Op Code, unsigned Column, int64_t Operand = 0) { Result.Code.push_back({Code, Column, Operand}); }
  Error error(unsigned Column, const Twine &Message) { return At.errorAt(Column - 1, Message); }

  Arithmetic Kind;
  TextCursor At;
  Expression Result;
};

static bool startsName(char C) { return isAlpha(C) || C == '_'; }

Expected<Expression> ExpressionParser::run() {
  if (Error E = parseBinary(0, 0))
    return std::move(E);
  if (!rest().empty())
    return error(column(), "expected an operator or the end, found " + found());
  return std::move(Result);
}

const ExpressionParser::BinaryOperator *ExpressionParser::peekBinary() {
  // Longer spellings before their prefixes.
  static const BinaryOperator Operators[] = {
      {"||", 1, Op::SkipIfNonZero}, {"&&", 2, Op::SkipIfZero}, {"==", 3, Op::Equal},
      {"!=", 3, Op::NotEqual},      {"<=", 4, Op::LessEqual},  {">=", 4, Op::GreaterEqual},
      {"<", 4, Op::Less},           {">", 4, Op::Greater},     {"+", 5, Op::Add},
      {"-", 5, Op::Subtract},       {"*", 6, Op::Multiply},    {"/", 6, Op::Divide},
      {"%", 6, Op::Remainder},
  };
  StringRef Rest = rest();
  const auto *Found = find_if(Operators, [&](auto &O) { return Rest.starts_with(O.Spelling); });
  return Found == std::end(Operators) ? nullptr : Found;
}

Error ExpressionParser::parseBinary(unsigned MinPrecedence, unsigned Depth) {
  if (Depth > MaxDepth)
    return error(column(), "nested more than " + Twine(MaxDepth) + " deep");
  if (Error E = parseUnary(Depth))
    return E;
  while (const BinaryOperator *Operator = peekBinary()) {
    if (Operator->Precedence < MinPrecedence)
      break;
    unsigned Column = column();
    consume(Operator->Spelling);
    bool ShortCircuit = Operator->Code == Op::SkipIfZero || Operator->Code == Op::SkipIfNonZero;
    size_t Jump = Result.Code.size();
    if (ShortCircuit)
      emit(Operator->Code, Column);
    if (Error E = parseBinary(Operator->Precedence + 1, Depth + 1))
      return E;
    emit(ShortCircuit ? Op::ToBool : Operator->Code, Column);
    if (ShortCircuit)
      Result.Code[Jump].Operand = Result.Code.size();
  }
  return Error::success();
}

Error ExpressionParser::parseUnary(unsigned Depth) {
  SmallVector<std::pair<Op, unsigned>, 4> Prefixes;
  for (;;) {
    unsigned Column = column();
    if (consume("-"))
      Prefixes.push_back({Op::Negate, Column});
    else if (consume("!"))
      Prefixes.push_back({Op::Not, Column});
    else
      break;
  }
  if (Error E = parsePrimary(Depth))
    return E;
  for (auto [Code, Column] : reverse(Prefixes))
    emit(Code, Column);
  return Error::success();
}

Error ExpressionParser::expectClosing(unsigned OpenColumn) {
  if (consume(")"))
    return Error::success();
  return error(column(), "expected ')' for the '(' at column " + Twine(OpenColumn) + ", found " + found());
}

Error ExpressionParser::parsePrimary(unsigned Depth) {
  StringRef Rest = rest();
  unsigned Column = column();
  if (consume("(")) {
    if (Error E = parseBinary(0, Depth + 1))
      return E;
    return expectClosing(Column);
  }
  if (startsNumber(Rest))
    return parseNumber();
  if (!Rest.empty() && startsName(Rest.front()))
    return parseNameOrCall(Depth);
  return error(Column, "expected a number, a name or '(', found " + found());
}

bool ExpressionParser::startsNumber(StringRef Rest) const {
  if (Kind == Arithmetic::Reals && Rest.consume_front("."))
    return !Rest.empty() && isDigit(Rest.front());
  return !Rest.empty() && isDigit(Rest.front());
}

/// A literal that is no 0x integer.
Error ExpressionParser::parseReal() {
  unsigned Column = column();
  StringRef Rest = rest(), Digits = takeWord();
  // consume() would skip white space: "1e -3" is no number.
  if (Digits.ends_with_insensitive("e") && (At.consume("-") || At.consume("+")))
    Digits = Rest.take_front(Digits.size() + 1 + takeWord().size());
  double Value;
  bool IsWhole = isDigit(Digits.back()) || Digits.back() == '.'; // Else LLVM would take "1e" for 1.
  if (!IsWhole || Digits.getAsDouble(Value))
    return error(Column, "'" + Digits + "' is no number");
  if (!std::isfinite(Value))
    return error(Column, "'" + Digits + "' does not fit in double precision");
  emit(Op::Real, Column, std::bit_cast<int64_t>(Value));
  return Error::success();
}

Error ExpressionParser::parseNumber() {
  if (Kind == Arithmetic::Reals && !rest().starts_with_insensitive("0x"))
    return parseReal();
  unsigned Column = column();
  StringRef Digits = takeWord();
  bool Hex = Digits.starts_with_insensitive("0x");
  StringRef Body = Hex ? Digits.drop_front(2) : Digits;
  bool WellFormed = !Body.empty() && all_of(Body, [&](char C) { return Hex ? isHexDigit(C) : isDigit(C); });
  if (!WellFormed)
    return error(Column, "'" + Digits + "' is not a decimal or 0x integer");
  int64_t Value;
  if (Body.getAsInteger(Hex ? 16 : 10, Value))
    return error(Column, "'" + Digits + "' does not fit in 64 bits");
  emit(Op::Constant, Column, Value);
  return Error::success();
}

void ExpressionParser::emitName(StringRef Name, unsigned Column) {
  auto Found = find(Result.Names, Name);
  emit(Op::Name, Column, Found - Result.Names.begin());
  if (Found == Result.Names.end())
    Result.Names.push_back(Name.str());
}

Error ExpressionParser::parseNameOrCall(unsigned Depth) {
  unsigned Column = column();
  StringRef Name = takeWord();
  if (rest().starts_with("("))
    return parseCall(Name, Column, Depth);
  emitName(Name, Column);
  return Error::success();
}

Error ExpressionParser::parseCall(StringRef Function, unsigned Column, unsigned Depth) {
  static const std::pair<StringRef, Op> Functions[] = {
      {"cdiv", Op::CeilDivide}, {"min", Op::Minimum}, {"max", Op::Maximum}};
  const auto *Found = find_if(Functions, [&](auto &F) { return F.first == Function; });
  if (Found == std::end(Functions))
    return error(Column,
                 "unknown function '" + Function + "'" + nearestNameHint(Function, {"cdiv", "min", "max"}));
  unsigned OpenColumn = column();
  consume("(");
  unsigned Arguments = 0;
  do {
    if (Error E = parseBinary(0, Depth + 1))
      return E;
    if (++Arguments > 1)
      emit(Found->second, Column);
  } while (consume(","));
  if (Error E = expectClosing(OpenColumn))
    return E;
  bool Binary = Found->second == Op::CeilDivide;
  if (Arguments < 2 || (Binary && Arguments > 2))
    return error(Column, Function + " takes " + (Binary ? "two" : "at least two") + " arguments, found " +
                             Twine(Arguments));
  return Error::success();
}

Expected<Expression> Expression::parse(StringRef Text, Arithmetic Kind) {
  return ExpressionParser(Text, Kind).run();
}

} // namespace gpuprune
