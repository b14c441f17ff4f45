//===- InstructionClass.cpp - Counts of a kernel by class of instruction ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <algorithm>

using namespace llvm;
using namespace gpuprune;

StringRef gpuprune::instructionClassName(InstructionClass Class) {
  static constexpr StringLiteral Names[] = {
#define INSTRUCTION_CLASS(Enumerator, Name) Name,
#include "gpuprune/Analysis/InstructionClasses.def"
  };
  return Names[static_cast<unsigned>(Class)];
}

StringRef gpuprune::instrSourceName(InstrSource Source) {
  static constexpr StringLiteral Names[] = {"exact-static", "exact-run", "sampled", "estimated"};
  return Names[static_cast<unsigned>(Source)];
}

MemorySpace gpuprune::memorySpace(unsigned AddressSpace) {
  switch (AddressSpace) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return MemorySpace::Global;
  case NVPTXAS::ADDRESS_SPACE_SHARED:
  case NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return MemorySpace::Shared;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    return MemorySpace::Local;
  case NVPTXAS::ADDRESS_SPACE_CONST:
  case NVPTXAS::ADDRESS_SPACE_PARAM:
    return MemorySpace::Const;
  default:
    return MemorySpace::Generic;
  }
}

InstructionClass gpuprune::loadClass(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Generic:
    return InstructionClass::LoadGeneric;
  case MemorySpace::Global:
    return InstructionClass::LoadGlobal;
  case MemorySpace::Shared:
    return InstructionClass::LoadShared;
  case MemorySpace::Local:
    return InstructionClass::LoadLocal;
  case MemorySpace::Const:
    return InstructionClass::LoadConst;
  case MemorySpace::Texture:
    return InstructionClass::LoadTexture;
  }
  return InstructionClass::LoadGeneric;
}

InstructionClass gpuprune::storeClass(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Generic:
    return InstructionClass::StoreGeneric;
  case MemorySpace::Global:
    return InstructionClass::StoreGlobal;
  case MemorySpace::Shared:
    return InstructionClass::StoreShared;
  case MemorySpace::Local:
    return InstructionClass::StoreLocal;
  case MemorySpace::Const:
    return InstructionClass::StoreConst;
  case MemorySpace::Texture:
    return InstructionClass::StoreTexture;
  }
  return InstructionClass::StoreGeneric;
}

namespace {
enum class RowRule { Fixed, Arithmetic, Load, Store };
struct PtxRow {
  StringLiteral Stem;
  RowRule Rule;
  InstructionClass Class;
};
} // namespace

static constexpr PtxRow PtxRows[] = {
#define PTX_CLASS(Stem, Class) {Stem, RowRule::Fixed, InstructionClass::Class},
#define PTX_ARITHMETIC(Stem, Class) {Stem, RowRule::Arithmetic, InstructionClass::Class},
#define PTX_LOAD(Stem) {Stem, RowRule::Load, InstructionClass::Other},
#define PTX_STORE(Stem) {Stem, RowRule::Store, InstructionClass::Other},
#include "gpuprune/Analysis/InstructionClasses.def"
};

static constexpr PtxRow IntrinsicRows[] = {
#define IR_CLASS(Stem, Class) {Stem, RowRule::Fixed, InstructionClass::Class},
#define IR_ARITHMETIC(Stem, Class) {Stem, RowRule::Arithmetic, InstructionClass::Class},
#include "gpuprune/Analysis/InstructionClasses.def"
};

static const PtxRow *findRow(ArrayRef<PtxRow> Rows, StringRef Mnemonic) {
  const PtxRow *Best = nullptr;
  for (const PtxRow &Row : Rows) {
    if (!Mnemonic.starts_with(Row.Stem) || (Best && Best->Stem.size() >= Row.Stem.size()))
      continue;
    StringRef Rest = Mnemonic.drop_front(Row.Stem.size());
    if (Rest.empty() || !isAlnum(Rest.front()))
      Best = &Row;
  }
  return Best;
}

/// The class of a floating-point type named in \p Text; f16 includes bf16.
static bool floatClass(StringRef Text, InstructionClass &Class) {
  static constexpr std::pair<StringLiteral, InstructionClass> Types[] = {
      {"f64", InstructionClass::Fp64}, {"f32", InstructionClass::Fp32}, {"f16", InstructionClass::Fp16}};
  for (auto &[Name, TypeClass] : Types)
    if (Text.contains_insensitive(Name)) {
      Class = TypeClass;
      return true;
    }
  return false;
}

static MemorySpace namedSpace(StringRef Mnemonic, MemorySpace Otherwise) {
  static constexpr std::pair<StringLiteral, MemorySpace> Spaces[] = {{".global", MemorySpace::Global},
                                                                     {".shared", MemorySpace::Shared},
                                                                     {".local", MemorySpace::Local},
                                                                     {".const", MemorySpace::Const},
                                                                     {".param", MemorySpace::Const}};
  for (auto &[Name, Space] : Spaces)
    if (Mnemonic.contains(Name))
      return Space;
  return Otherwise;
}

static InstructionClass classOfRow(const PtxRow *Row, StringRef Mnemonic, StringRef TypeHint,
                                   MemorySpace Space) {
  if (!Row)
    return InstructionClass::Other;
  InstructionClass Class = Row->Class;
  switch (Row->Rule) {
  case RowRule::Fixed:
    return Class;
  case RowRule::Arithmetic:
    if (!floatClass(Mnemonic, Class))
      floatClass(TypeHint, Class);
    return Class;
  case RowRule::Load:
    return loadClass(namedSpace(Mnemonic, Space));
  case RowRule::Store:
    return storeClass(namedSpace(Mnemonic, Space));
  }
  return InstructionClass::Other;
}

InstructionClass gpuprune::classifyPtx(StringRef Mnemonic, StringRef TypeHint, MemorySpace Space) {
  return classOfRow(findRow(PtxRows, Mnemonic), Mnemonic, TypeHint, Space);
}

InstructionClass gpuprune::classifyIntrinsic(StringRef Name, StringRef TypeHint) {
  Name.consume_front("llvm.");
  Name.consume_front("nvvm.");
  const PtxRow *Row = findRow(IntrinsicRows, Name);
  return classOfRow(Row ? Row : findRow(PtxRows, Name), Name, TypeHint, MemorySpace::Generic);
}

bool gpuprune::isBlocking(InstructionClass Class, StringRef Mnemonic) {
  switch (Class) {
  case InstructionClass::Barrier:
    return !Mnemonic.contains(".arrive");
  case InstructionClass::Fence:
    return true;
  case InstructionClass::AsyncCopy:
    return Mnemonic.contains("wait");
  default:
    return false;
  }
}

static std::string withoutComments(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    if (Text.consume_front("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.consume_front("/*")) {
      size_t End = Text.find("*/");
      Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 2);
    } else {
      Result += Text.front();
      Text = Text.drop_front();
    }
  }
  return Result;
}

/// The mnemonic of one statement; empty for a directive or for nothing.
static StringRef mnemonicOf(StringRef Statement) {
  // LLVM writes the braces of inline assembly as "$(" and "$)" or doubles them.
  constexpr StringLiteral Before = " \t\n\r{}$()|";
  Statement = Statement.ltrim(Before);
  size_t Colon = Statement.find(':');
  if (Colon != StringRef::npos && Colon + 1 < Statement.size() && isSpace(Statement[Colon + 1]) &&
      Statement.take_front(Colon).find_first_of(" \t\n.") == StringRef::npos)
    Statement = Statement.drop_front(Colon + 1).ltrim(Before);
  if (Statement.starts_with("@"))
    Statement = Statement.drop_while([](char C) { return !isSpace(C); }).ltrim(Before);
  if (Statement.starts_with("."))
    return "";
  return Statement.take_while([](char C) { return !isSpace(C); });
}

std::vector<std::string> gpuprune::splitPtx(StringRef Text) {
  std::string Code = withoutComments(Text);
  SmallVector<StringRef, 8> Statements;
  StringRef(Code).split(Statements, ';');
  std::vector<std::string> Result;
  for (StringRef Statement : Statements)
    if (StringRef Mnemonic = mnemonicOf(Statement); !Mnemonic.empty())
      Result.push_back(Mnemonic.str());
  return Result;
}

void KernelCounts::add(InstructionClass Class, double Executions) {
  (*this)[Class] += Executions;
  Instr += Executions;
}

void KernelCounts::addBytes(InstructionClass Class, double Executions, double Bytes) {
  double Moved = Executions * Bytes;
  switch (Class) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::LoadGeneric:
    Global.Loaded += Moved;
    return;
  case InstructionClass::LoadShared:
    Shared.Loaded += Moved;
    return;
  case InstructionClass::LoadLocal:
    Local.Loaded += Moved;
    return;
  case InstructionClass::StoreGlobal:
  case InstructionClass::StoreGeneric:
    Global.Stored += Moved;
    return;
  case InstructionClass::StoreShared:
    Shared.Stored += Moved;
    return;
  case InstructionClass::StoreLocal:
    Local.Stored += Moved;
    return;
  default:
    return;
  }
}

static void addScaled(BytesMoved &To, const BytesMoved &From, double Times) {
  To.Loaded += Times * From.Loaded;
  To.Stored += Times * From.Stored;
}

void KernelCounts::addCall(const KernelCounts &Callee, double Executions) {
  for (unsigned Class = 0; Class != NumInstructionClasses; ++Class)
    ByClass[Class] += Executions * Callee.ByClass[Class];
  Instr += Executions * Callee.Instr;
  Regions += Executions * (Callee.Regions - 1);
  addScaled(Global, Callee.Global, Executions);
  addScaled(Shared, Callee.Shared, Executions);
  addScaled(Local, Callee.Local, Executions);
  Source = std::max(Source, Callee.Source);
  for (const std::string &Reason : Callee.Reasons)
    estimate(Reason);
}

void KernelCounts::estimate(StringRef Reason) {
  Source = InstrSource::Estimated;
  if (!is_contained(Reasons, Reason))
    Reasons.push_back(Reason.str());
}
