//===- PtxText.cpp - PTX text read and run by hand ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter for the few instructions that decide the control flow of the
// tests' kernels, so that counts are compared with something that knows nothing of
// LLVM's analyses.
//
//===----------------------------------------------------------------------===//
#include "TestModule.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

/// The lines between the braces of function \p Name, without comments.
static std::vector<std::string> bodyLines(StringRef Ptx, StringRef Name) {
  std::vector<std::string> Result;
  SmallVector<StringRef, 0> Lines;
  Ptx.split(Lines, '\n');
  unsigned Depth = 0;
  bool Inside = false;
  for (StringRef Line : Lines) {
    Line = Line.split("//").first.trim();
    if (Line.contains(" " + Name.str() + "(") && (Line.contains(".entry") || Line.contains(".func")))
      Inside = true;
    if (!Inside)
      continue;
    if (Line == "{")
      ++Depth;
    if (Line == "}" && --Depth == 0)
      break;
    if (Depth > 0)
      Result.push_back(Line.str());
  }
  EXPECT_FALSE(Result.empty()) << "no function " << Name.str() << " in the PTX";
  return Result;
}

/// A line that is an instruction; nested braces begin call sequences.
static bool isInstruction(StringRef Line) {
  return Line.ends_with(";") && !Line.starts_with(".") && !Line.starts_with("$L_brx");
}

unsigned gpuprune::test::instructionLines(StringRef Ptx, StringRef Name) {
  unsigned Count = 0;
  for (const std::string &Line : bodyLines(Ptx, Name))
    Count += isInstruction(Line);
  return Count;
}

namespace {

class Interpreter {
public:
  Interpreter(std::vector<std::string> Lines, const std::map<unsigned, int64_t> &Scalars,
              const std::map<std::string, int64_t> &Registers)
      : Lines(std::move(Lines)), Scalars(Scalars), Values(Registers) {
    for (unsigned I = 0; I != this->Lines.size(); ++I)
      if (StringRef Line = this->Lines[I]; Line.ends_with(":"))
        Labels[Line.drop_back().str()] = I;
  }
  double run();

private:
  /// Executes \p Text; the line to go on at, or none after a return.
  std::optional<unsigned> step(StringRef Text, unsigned Line);
  void compute(StringRef Mnemonic, ArrayRef<StringRef> Operands);
  int64_t value(StringRef Operand) const;
  int64_t load(StringRef Mnemonic, StringRef Address) const;

  std::vector<std::string> Lines;
  std::map<unsigned, int64_t> Scalars;
  std::map<std::string, int64_t> Values;
  std::map<std::string, unsigned> Labels;
};

} // namespace

int64_t Interpreter::value(StringRef Operand) const {
  int64_t Number = 0;
  if (!Operand.getAsInteger(10, Number))
    return Number;
  auto Known = Values.find(Operand.str());
  return Known == Values.end() ? 0 : Known->second;
}

int64_t Interpreter::load(StringRef Mnemonic, StringRef Address) const {
  unsigned Index = 0;
  if (!Mnemonic.starts_with("ld.param") || Address.rsplit('_').second.drop_back().getAsInteger(10, Index))
    return 0;
  auto Known = Scalars.find(Index);
  return Known == Scalars.end() ? 0 : Known->second;
}

static bool holds(StringRef Mnemonic, int64_t A, int64_t B) {
  bool Unsigned = Mnemonic.contains(".u");
  auto Less = [&] { return Unsigned ? uint64_t(A) < uint64_t(B) : A < B; };
  if (Mnemonic.contains(".eq"))
    return A == B;
  if (Mnemonic.contains(".ne"))
    return A != B;
  if (Mnemonic.contains(".lt"))
    return Less();
  if (Mnemonic.contains(".ge"))
    return !Less();
  if (Mnemonic.contains(".gt"))
    return A != B && !Less();
  EXPECT_TRUE(Mnemonic.contains(".le")) << Mnemonic.str();
  return A == B || Less();
}

/// The bits of the last type in \p Mnemonic, 64 where it names none.
static unsigned typeBits(StringRef Mnemonic) {
  unsigned Bits = 64;
  Mnemonic.rsplit('.').second.drop_front().getAsInteger(10, Bits);
  return Bits;
}

/// Registers are kept sign-extended: that orders unsigned values, too.
static int64_t narrow(unsigned Bits, int64_t Value) {
  return Bits == 32 ? int64_t(int32_t(Value)) : Bits == 16 ? int64_t(int16_t(Value)) : Value;
}

static int64_t zeroExtended(unsigned Bits, int64_t Value) {
  return Bits == 32 ? int64_t(uint32_t(Value)) : Bits == 16 ? int64_t(uint16_t(Value)) : Value;
}

void Interpreter::compute(StringRef Mnemonic, ArrayRef<StringRef> Operands) {
  if (Operands.size() < 2 || Operands[0].starts_with("[") || Operands[0].starts_with("{"))
    return;
  int64_t A = value(Operands[1]), B = Operands.size() > 2 ? value(Operands[2]) : 0;
  StringRef Stem = Mnemonic.split('.').first;
  unsigned Bits = typeBits(Mnemonic);
  if (Mnemonic.rsplit('.').second.starts_with("u") &&
      (Stem == "cvt" || Stem == "shr" || Mnemonic.contains(".wide"))) {
    A = zeroExtended(Bits, A);
    B = zeroExtended(Bits, B);
  }
  if (Stem == "cvt")
    Bits = typeBits(Mnemonic.rsplit('.').first);
  else if (Mnemonic.contains(".wide"))
    Bits = 64;
  int64_t Result = 0;
  if (Stem == "ld")
    Result = load(Mnemonic, Operands[1]);
  else if (Stem == "mov" || Stem == "cvt")
    Result = A;
  else if (Stem == "add")
    Result = A + B;
  else if (Stem == "sub")
    Result = A - B;
  else if (Stem == "and")
    Result = A & B;
  else if (Stem == "or")
    Result = A | B;
  else if (Stem == "mul")
    Result = A * B;
  else if (Stem == "mad")
    Result = A * B + value(Operands[3]);
  else if (Stem == "shl")
    Result = A << B;
  else if (Stem == "shr")
    Result = A >> B;
  else if (Stem == "max")
    Result = std::max(A, B);
  else if (Stem == "min")
    Result = std::min(A, B);
  else if (Stem == "setp")
    Result = holds(Mnemonic, A, B);
  Values[Operands[0].str()] = narrow(Bits, Result);
}

std::optional<unsigned> Interpreter::step(StringRef Text, unsigned Line) {
  bool Taken = true;
  if (Text.consume_front("@")) {
    auto [Predicate, Rest] = Text.split(' ');
    bool Negated = Predicate.consume_front("!");
    Taken = (value(Predicate.trim()) != 0) != Negated;
    Text = Rest.trim();
  }
  size_t End = Text.find_first_of(" \t");
  StringRef Mnemonic = Text.take_front(End),
            Rest = End == StringRef::npos ? StringRef() : Text.drop_front(End);
  if (Mnemonic.starts_with("ret") || Mnemonic.starts_with("trap"))
    return std::nullopt;
  if (Mnemonic.starts_with("bra"))
    return Taken ? Labels.at(Rest.trim().str()) : Line + 1;
  SmallVector<StringRef, 4> Operands;
  Rest.split(Operands, ',');
  for (StringRef &Operand : Operands)
    Operand = Operand.trim();
  compute(Mnemonic, Operands);
  return Line + 1;
}

double Interpreter::run() {
  double Executed = 0;
  constexpr double Limit = 1e7;
  for (std::optional<unsigned> Line = 0; Line && *Line < Lines.size() && Executed < Limit;) {
    StringRef Text = Lines[*Line];
    if (!isInstruction(Text)) {
      ++*Line;
      continue;
    }
    ++Executed;
    Line = step(Text.drop_back().trim(), *Line);
  }
  EXPECT_LT(Executed, Limit) << "the interpreted kernel does not end";
  return Executed;
}

double gpuprune::test::interpret(StringRef Ptx, StringRef Name, const std::map<unsigned, int64_t> &Scalars,
                                 const std::map<std::string, int64_t> &Registers) {
  return Interpreter(bodyLines(Ptx, Name), Scalars, Registers).run();
}
