//===- CodeDigest.cpp - When two kernels are the same program ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/CodeDigest.h"
#include "gpuprune/MachineCode/CubinFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/SHA256.h"
#include <map>

using namespace llvm;

namespace gpuprune {

namespace {

/// SHA-256 of a sequence of numbers and texts that can be told apart.
class Digest {
public:
  void number(uint64_t Value) {
    uint8_t Bytes[8];
    for (uint8_t &Byte : Bytes) {
      Byte = uint8_t(Value);
      Value >>= 8;
    }
    Hash.update(Bytes);
  }
  void text(StringRef Text) {
    number(Text.size());
    Hash.update(Text);
  }
  std::string hex() { return toHex(Hash.final(), /*LowerCase=*/true); }

private:
  SHA256 Hash;
};

/// What the next items of a digest are about.
enum class Item : uint8_t { Function, Section, Variable, Bank, Inside, Relocation, Record, Extern, Reserved };

/// What does not depend on the kernel that is asked for.
struct FileFacts {
  const CubinFile &File;
  /// Records of .nv.info by the symbol that they are about.
  std::map<uint32_t, std::vector<CubinRecord>> OfSymbol;
  std::vector<CubinRecord> OfNone; ///< Those of unknown meaning.

  explicit FileFacts(const CubinFile &File) : File(File) {}
  Error readInfo();
};

} // namespace

static constexpr StringLiteral Text = ".text", Info = ".nv.info", Shared = ".nv.shared", Local = ".nv.local",
                               ConstantBank = ".nv.constant", Compatibility = ".nv.compat",
                               InitialData = ".nv.global.init", ZeroData = ".nv.global";

/// Takes those of the file, and reads those of the kernels for their errors.
Error FileFacts::readInfo() {
  for (const CubinSection &Section : File.Sections) {
    if (!Section.Name.starts_with(Info))
      continue;
    bool IsOfFile = Section.Name == Info;
    Error E = forEachRecord(Section.Contents, [&](const CubinRecord &R) {
      bool IsOfSymbol = is_contained({CubinAttribute::RegisterCount, CubinAttribute::FrameSize,
                                      CubinAttribute::MinStackSize, CubinAttribute::MaxStackSize},
                                     R.Code);
      if (IsOfFile)
        (IsOfSymbol && R.Payload.size() >= 4 ? OfSymbol[R.word(0)] : OfNone).push_back(R);
    });
    if (E)
      return E;
  }
  return Error::success();
}

static bool isRelocations(const CubinSection &Section) {
  return Section.Type == ELF::SHT_RELA || Section.Type == ELF::SHT_REL;
}

/// ".nv.constant3", a bank without a kernel's name.
static bool isFileBank(StringRef Name) {
  return Name.consume_front(ConstantBank) && !Name.empty() && all_of(Name, isDigit);
}

/// Whether a section belongs to some function by its name.
static bool isOfFunction(StringRef Name) {
  StringRef Base = Name.rsplit('.').first;
  return Base == Text || Base == Info || Base == Shared || Base == Local || isFileBank(Base);
}

/// The name without that of \p Function where it ends in it, else nothing.
static StringRef baseOf(StringRef Name, StringRef Function) {
  return Name.consume_back(Function) && Name.consume_back(".") ? Name : "";
}

namespace {

/// From a kernel to all that it reaches, breadth first.
class Walk {
public:
  explicit Walk(const FileFacts &Facts) : Facts(Facts), File(Facts.File) {}

  std::string run(StringRef Kernel);

private:
  const FileFacts &Facts;
  const CubinFile &File;
  Digest Into;
  /// A section, or a symbol and what section it is in; by the number of each.
  using Place = std::pair<uint32_t, uint32_t>;
  std::map<Place, uint32_t> Numbers;
  std::vector<Place> Reached;
  static constexpr uint32_t WholeSection = 0; ///< Symbol 0 is none.

  void tag(Item What) { Into.number(uint64_t(What)); }
  uint32_t numberOf(Place P);
  void describeFile();
  void describe(Place P);
  void describeFunction(uint32_t Section);
  void describeRecords(StringRef Section);
  void describeSection(const CubinSection &Section, StringRef Name);
  void describeVariable(const CubinSymbol &Symbol, const CubinSection &Section);
  void describeRelocations(const CubinSection &Section, uint64_t Begin, uint64_t Size);
  void describeTarget(uint32_t Symbol);
  void describeInside(uint32_t Section);
  void describeRecord(const CubinRecord &R, size_t WordsToSkip = 0);
};

} // namespace

uint32_t Walk::numberOf(Place P) {
  auto [Known, IsNew] = Numbers.try_emplace(P, Reached.size());
  if (IsNew)
    Reached.push_back(P);
  return Known->second;
}

void Walk::describeRecord(const CubinRecord &R, size_t WordsToSkip) {
  tag(Item::Record);
  Into.number(uint64_t(R.Code));
  Into.number(R.Payload.empty() ? R.Value : 0);
  Into.text(R.Payload.drop_front(std::min(R.Payload.size(), 4 * WordsToSkip)));
}

/// Of a kernel's own section of records.
void Walk::describeRecords(StringRef Section) {
  // FileFacts::readInfo has read every such section without an error.
  cantFail(forEachRecord(Section, [&](const CubinRecord &R) {
    switch (R.Code) {
    case CubinAttribute::MaxRegisters:
    case CubinAttribute::MaxThreads:
    case CubinAttribute::RequiredBlock:
    case CubinAttribute::Externs:
      return;
    case CubinAttribute::ParameterBank:
      return describeRecord(R, /*WordsToSkip=*/1);
    default:
      return describeRecord(R);
    }
  }));
}

void Walk::describeTarget(uint32_t Index) {
  if (Index >= File.Symbols.size()) {
    tag(Item::Reserved);
    return Into.number(Index);
  }
  const CubinSymbol &Symbol = File.Symbols[Index];
  if (Symbol.Section == ELF::SHN_UNDEF || Symbol.Section >= File.Sections.size()) {
    tag(Symbol.Section == ELF::SHN_UNDEF ? Item::Extern : Item::Reserved);
    Into.number(Symbol.Section);
    Into.number(Symbol.Value);
    return Into.text(Symbol.Name);
  }
  bool IsCode = File.Sections[Symbol.Section].Flags & ELF::SHF_EXECINSTR;
  bool Whole = IsCode || Symbol.Type == ELF::STT_SECTION || Symbol.Size == 0;
  tag(Whole ? Item::Section : Item::Variable);
  Into.number(numberOf({Symbol.Section, Whole ? WholeSection : Index}));
  Into.number(Whole ? Symbol.Value : 0);
}

/// Those of \p Size bytes of \p Section from \p Begin on.
void Walk::describeRelocations(const CubinSection &Section, uint64_t Begin, uint64_t Size) {
  for (const CubinRelocation &R : Section.Relocations) {
    if (R.Offset < Begin || R.Offset - Begin >= Size)
      continue;
    tag(Item::Relocation);
    Into.number(R.Offset - Begin);
    Into.number(R.Type);
    Into.number(R.Addend);
    describeTarget(R.Symbol);
  }
}

void Walk::describeSection(const CubinSection &Section, StringRef Name) {
  tag(Item::Section);
  Into.text(Name);
  Into.number(Section.Type);
  Into.number(Section.Flags);
  Into.number(Section.Alignment);
  Into.number(Section.Size);
  Into.number(Section.IsZero);
  Into.text(Section.Contents);
  describeRelocations(Section, 0, UINT64_MAX);
}

void Walk::describeVariable(const CubinSymbol &Symbol, const CubinSection &Section) {
  tag(Item::Variable);
  StringRef Name = Section.Name;
  // Of what belongs to a function, the name would tell which.
  Into.text(isOfFunction(Name) ? Name.rsplit('.').first : Name);
  Into.text(Symbol.IsLocal ? "" : Symbol.Name);
  Into.number(Symbol.Size);
  // Addresses in other memories than the global one are part of the code.
  bool IsGlobal = Name == InitialData || Name == ZeroData;
  Into.number(IsGlobal ? 0 : Symbol.Value);
  Into.text(Section.Contents.substr(Symbol.Value, Symbol.Size));
  describeRelocations(Section, Symbol.Value, Symbol.Size);
}

/// The functions, or variables, in a section: where they begin and what is known of them.
void Walk::describeInside(uint32_t Section) {
  std::vector<std::pair<uint64_t, uint32_t>> Inside;
  for (const auto &[Index, Symbol] : enumerate(File.Symbols))
    if (Symbol.Section == Section && (Symbol.Type == ELF::STT_FUNC || Symbol.Type == ELF::STT_OBJECT))
      Inside.emplace_back(Symbol.Value, uint32_t(Index));
  llvm::sort(Inside);
  for (auto [Value, Index] : Inside) {
    const CubinSymbol &Symbol = File.Symbols[Index];
    tag(Item::Inside);
    Into.number(Value);
    Into.number(Symbol.Size);
    Into.number(Symbol.Other);
    Into.text(Symbol.Type == ELF::STT_OBJECT && !Symbol.IsLocal ? Symbol.Name : "");
    if (auto Known = Facts.OfSymbol.find(Index); Known != Facts.OfSymbol.end())
      for (const CubinRecord &R : Known->second)
        describeRecord(R, /*WordsToSkip=*/1);
  }
}

/// All sections that have the name of the function whose code is in \p Index.
void Walk::describeFunction(uint32_t Index) {
  StringRef Function = File.Sections[Index].Name;
  if (!Function.consume_front(Text) || !Function.consume_front("."))
    return describeSection(File.Sections[Index], File.Sections[Index].Name);
  std::vector<std::pair<StringRef, const CubinSection *>> Own;
  for (const CubinSection &Section : File.Sections)
    if (StringRef Base = baseOf(Section.Name, Function); !Base.empty() && !isRelocations(Section))
      Own.emplace_back(Base, &Section);
  llvm::sort(Own);
  tag(Item::Function);
  Into.number(Own.size());
  for (auto [Base, Section] : Own) {
    if (Base == Info)
      describeRecords(Section->Contents);
    else
      describeSection(*Section, Base);
  }
  describeInside(Index);
}

void Walk::describe(Place P) {
  const CubinSection &Section = File.Sections[P.first];
  if (P.second != WholeSection)
    return describeVariable(File.Symbols[P.second], Section);
  if (Section.Flags & ELF::SHF_EXECINSTR)
    return describeFunction(P.first);
  describeSection(Section, isOfFunction(Section.Name) ? Section.Name.rsplit('.').first : Section.Name);
  describeInside(P.first);
}

/// What is there for all kernels of the file.
void Walk::describeFile() {
  Into.number(File.Flags);
  Into.number(File.AbiVersion);
  for (const CubinRecord &R : Facts.OfNone)
    describeRecord(R);
  for (const auto &[Index, Section] : enumerate(File.Sections)) {
    if (isFileBank(Section.Name)) {
      tag(Item::Bank);
      describeSection(Section, Section.Name);
      describeInside(Index);
      continue;
    }
    // Variables count where something leads to them.
    bool IsLoaded = (Section.Flags & ELF::SHF_ALLOC) && !isOfFunction(Section.Name) &&
                    Section.Name != InitialData && Section.Name != ZeroData;
    if (IsLoaded || Section.Name == Compatibility)
      describeSection(Section, Section.Name);
  }
}

std::string Walk::run(StringRef Kernel) {
  for (const auto &[Index, Section] : enumerate(File.Sections))
    if (baseOf(Section.Name, Kernel) == Text)
      numberOf({uint32_t(Index), WholeSection});
  if (Reached.empty())
    return "";
  describeFile();
  for (size_t Next = 0; Next != Reached.size(); ++Next)
    describe(Reached[Next]);
  return Into.hex();
}

Expected<std::vector<std::string>> machineCodes(StringRef Image, ArrayRef<std::string> Kernels) {
  Expected<CubinFile> File = readCubinFile(Image);
  if (!File)
    return File.takeError();
  FileFacts Facts(*File);
  if (Error E = Facts.readInfo())
    return std::move(E);
  std::vector<std::string> Codes;
  for (const std::string &Kernel : Kernels)
    Codes.push_back(Walk(Facts).run(Kernel));
  return Codes;
}

} // namespace gpuprune
