//===- PureAssembly.cpp - Inline assembly that only computes ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PureAssembly.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprune {

/// The first parts of instructions whose results follow from their operands.
static bool isArithmetic(StringRef Opcode) {
  static const StringSet<> Known{
      "abs",  "add",      "addc", "and",  "bfe",   "bfi",  "bfind", "bmsk",  "brev",  "clz", "cnot",
      "cos",  "copysign", "cvt",  "div",  "dp2a",  "dp4a", "ex2",   "fma",   "fns",   "lg2", "lop3",
      "mad",  "mad24",    "madc", "max",  "min",   "mov",  "mul",   "mul24", "neg",   "not", "or",
      "popc", "prmt",     "rcp",  "rem",  "rsqrt", "sad",  "selp",  "set",   "setp",  "shf", "shl",
      "shr",  "sin",      "slct", "sqrt", "sub",   "subc", "szext", "tanh",  "testp", "xor"};
  return Known.contains(Opcode);
}

/// Those by which the lanes of a warp exchange values, as cub writes them.
static bool isExchange(StringRef Opcode) {
  return Opcode == "shfl" || Opcode == "vote" || Opcode == "match" || Opcode == "redux";
}

/// Reads of what nothing writes while the kernel runs; with \p Any all reads that the hardware may make when
/// it likes.
static bool isRead(StringRef Opcode, bool Any) {
  SmallVector<StringRef, 8> Parts;
  Opcode.split(Parts, '.');
  if (Parts.size() < 3 || Parts[0] != "ld" || Parts[1] != "global")
    return false;
  return is_contained(Parts, "nc") ||
         (Any && none_of(Parts, [](StringRef Part) {
            return StringSet<>{"volatile", "relaxed", "acquire", "mmio", "cv"}.contains(Part);
          }));
}

/// Those that only bring memory nearer.
static bool isHint(StringRef Opcode) {
  return Opcode == "prefetch.global.L1" || Opcode == "prefetchu.L1" ||
         Opcode.starts_with("prefetch.global.L2") || Opcode.starts_with("cp.async.bulk.prefetch.L2.global");
}

/// A carry from before the statement would be read.
static bool readsCarry(StringRef Opcode) { return Opcode == "addc" || Opcode == "subc" || Opcode == "madc"; }

/// A colon is part of modifiers such as .L2::128B.
static bool isNamePart(char C) {
  return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.' || C == ':';
}

static bool hasLabel(StringRef Text) {
  while (!Text.empty()) {
    StringRef Colons =
        Text.drop_until([](char C) { return C == ':'; }).take_while([](char C) { return C == ':'; });
    if (Colons.size() == 1)
      return true;
    Text = Colons.empty() ? "" : StringRef(Colons.end(), Text.end() - Colons.end());
  }
  return false;
}

/// Names, numbers, operands, opcodes and directives of \p Statement, in their order.
static SmallVector<StringRef, 8> splitNames(StringRef Statement) {
  SmallVector<StringRef, 8> Names;
  while (!Statement.empty()) {
    StringRef Name = Statement.take_while(isNamePart);
    if (!Name.empty())
      Names.push_back(Name);
    Statement = Statement.drop_front(std::max<size_t>(Name.size(), 1));
  }
  return Names;
}

/// A number, the constant number of lanes, or an operand of the statement.
static bool isGiven(StringRef Name) {
  if (Name == "WARP_SZ")
    return true;
  Name.consume_front("$");
  return !Name.empty() && isDigit(Name.front());
}

namespace {

/// What a statement may do besides arithmetic.
enum class Beside { Nothing, Exchange, ReadConstant, Read };

/// Goes over the statements one after another.
class Computation {
public:
  explicit Computation(Beside Also) : Also(Also) {}

  /// Whether \p Statement computes from operands and own registers alone: another name is a special
  /// register or a variable's address.
  bool add(StringRef Statement);

private:
  Beside Also;
  SmallVector<StringSet<>, 2> Declared{StringSet<>()}; ///< By scope, the innermost last.
  bool Carries = false;

  bool isKnown(StringRef Opcode) const;
  bool isDeclared(StringRef Name) const;
  bool enterAndLeave(StringRef Statement);
};

} // namespace

bool Computation::isKnown(StringRef Opcode) const {
  StringRef Stem = Opcode.take_until([](char C) { return C == '.'; });
  if (isArithmetic(Stem))
    return !readsCarry(Stem) || Carries;
  if (Also == Beside::Exchange)
    return isExchange(Stem);
  return Also != Beside::Nothing && (isHint(Opcode) || isRead(Opcode, Also == Beside::Read));
}

bool Computation::isDeclared(StringRef Name) const {
  return any_of(Declared, [&](const StringSet<> &Scope) { return Scope.contains(Name); });
}

/// Behind its scope a name is again what it was, a special register. The braces of a vector come in pairs.
bool Computation::enterAndLeave(StringRef Statement) {
  for (char C : Statement) {
    if (C == '{')
      Declared.emplace_back();
    else if (C == '}')
      Declared.pop_back();
    if (Declared.empty())
      return false;
  }
  return true;
}

bool Computation::add(StringRef Statement) {
  if (!enterAndLeave(Statement))
    return false;
  SmallVector<StringRef, 8> Names = splitNames(Statement);
  if (Names.empty())
    return true;
  if (Names.front().starts_with(".reg")) {
    for (StringRef Name : Names)
      Declared.back().insert(Name);
    return true;
  }
  auto *Opcode = Names.begin();
  if (Statement.ltrim(" \t\r\n{}").starts_with("@"))
    ++Opcode;
  if (Opcode == Names.end() || !isKnown(*Opcode))
    return false;
  Carries |= Opcode->contains(".cc");
  return all_of(Names,
                [&](const StringRef &Name) { return &Name == Opcode || isGiven(Name) || isDeclared(Name); });
}

static bool onlyDoes(StringRef Text, Beside Also) {
  if (Text.contains("//") || Text.contains("/*") || hasLabel(Text))
    return false;
  SmallVector<StringRef, 8> Statements;
  Text.split(Statements, ';');
  Computation All(Also);
  return all_of(Statements, [&](StringRef Statement) { return All.add(Statement); });
}

static bool isPointer(const Type *T) { return T->isPtrOrPtrVectorTy(); }

static bool clobbersMemory(const InlineAsm &Assembly) {
  return StringRef(Assembly.getConstraintString()).contains("~{memory}");
}

static bool touchesOperandsOnly(const CallBase &Call, Beside Also) {
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly || isPointer(Call.getType()) ||
      any_of(Call.args(), [](const Use &Operand) { return isPointer(Operand->getType()); }))
    return false;
  return (Assembly->hasSideEffects() ? !clobbersMemory(*Assembly) : Call.doesNotAccessMemory()) &&
         onlyDoes(Assembly->getAsmString(), Also);
}

bool isPureAssembly(const CallBase &Call) { return touchesOperandsOnly(Call, Beside::Nothing); }

bool isWarpAssembly(const CallBase &Call) {
  return !isPureAssembly(Call) && touchesOperandsOnly(Call, Beside::Exchange);
}

bool isReadAssembly(const CallBase &Call) {
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  // Without `volatile` and a clobber the author leaves it to the compiler when, and how often, it is read.
  bool ReadAnyTime = Assembly && !Assembly->hasSideEffects() && !clobbersMemory(*Assembly);
  return Assembly && !isPointer(Call.getType()) && !onlyDoes(Assembly->getAsmString(), Beside::Nothing) &&
         onlyDoes(Assembly->getAsmString(), ReadAnyTime ? Beside::Read : Beside::ReadConstant);
}

/// The intrinsic that reads the special register that \p Call is a move of.
static Intrinsic::ID specialRegister(const CallInst &Call) {
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Assembly ? StringRef(Assembly->getAsmString()) : "";
  Text = Text.trim(" \t\r\n{};");
  SmallVector<StringRef, 8> Names = splitNames(Text);
  if (Text.contains(';') || Names.size() != 3 || Names[1] != "$0" || !Call.arg_empty() ||
      !Call.getType()->isIntegerTy(32) || !StringSet<>{"mov.u32", "mov.s32", "mov.b32"}.contains(Names[0]))
    return Intrinsic::not_intrinsic;
  const SpecialRegister *Register = gpuprune::specialRegister(Names[2].drop_front());
  bool IsIndex = Register && (Register->isGeometry() || Register->Family == RegisterFamily::Lane ||
                              Register->Name == "dynamic_smem_size");
  return IsIndex ? Register->ID : Intrinsic::not_intrinsic;
}

static void replaceByIntrinsic(CallInst &Call, Intrinsic::ID ID) {
  IRBuilder<> B(&Call);
  Call.replaceAllUsesWith(B.CreateIntrinsic(ID, {}));
  Call.eraseFromParent();
}

static void mark(CallInst &Call) {
  if (Intrinsic::ID ID = specialRegister(Call))
    return replaceByIntrinsic(Call, ID);
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return;
  // Without `volatile` it is there for its result, and goes where nobody needs that.
  bool OnlyForResult = !Assembly->hasSideEffects() && Call.doesNotAccessMemory();
  bool IsRead = isReadAssembly(Call), IsPure = isPureAssembly(Call) || IsRead,
       IsExchange = isWarpAssembly(Call);
  if (OnlyForResult || IsPure || IsExchange) {
    Call.addFnAttr(Attribute::WillReturn);
    Call.addFnAttr(Attribute::NoUnwind);
  }
  if (!OnlyForResult && (IsPure || IsExchange) && !(IsRead && clobbersMemory(*Assembly)))
    Call.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  if (!IsPure)
    return;
  Call.removeFnAttr(Attribute::Convergent);
  Call.addFnAttr(Attribute::NoSync);
  Call.addFnAttr(Attribute::NoFree);
}

void markPureAssembly(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      mark(*Call);
}

} // namespace gpuprune
