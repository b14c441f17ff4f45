//===- CubinFile.cpp - The ELF file that a cubin is -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/CubinFile.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include <tuple>

using namespace llvm;
using namespace llvm::object;

namespace gpuprune {

/// EIFMT_SVAL: the record's 16 bits are the size of a payload that follows;
/// in the other formats they are the value itself.
static constexpr uint8_t SizedFormat = 0x04;

uint32_t CubinRecord::word(size_t Index) const {
  return Payload.size() >= 4 * (Index + 1) ? support::endian::read32le(Payload.data() + 4 * Index) : 0;
}

Error notACubin(const Twine &What) {
  return makeError(ErrorKind::CodeGen, "not a cubin that can be read: " + What);
}

Error forEachRecord(StringRef Section, function_ref<void(const CubinRecord &)> Take) {
  while (!Section.empty()) {
    if (Section.size() < 4)
      return notACubin("a record of .nv.info is cut off");
    CubinRecord R{CubinAttribute(Section[1]), support::endian::read16le(Section.data() + 2), {}};
    size_t PayloadSize = static_cast<uint8_t>(Section[0]) == SizedFormat ? R.Value : 0;
    Section = Section.drop_front(4);
    if (PayloadSize > Section.size())
      return notACubin("a record of .nv.info is longer than its section");
    R.Payload = Section.take_front(PayloadSize);
    Section = Section.drop_front(PayloadSize);
    Take(R);
  }
  return Error::success();
}

using Elf = ELFFile<ELF64LE>;

static Error readSections(const Elf &File, Elf::Elf_Shdr_Range Headers, CubinFile &Cubin) {
  for (const Elf::Elf_Shdr &Header : Headers) {
    CubinSection &Section = Cubin.Sections.emplace_back();
    Expected<StringRef> Name = File.getSectionName(Header);
    if (!Name)
      return notACubin(toString(Name.takeError()));
    Section.Name = *Name;
    Section.Size = Header.sh_size;
    Section.Flags = Header.sh_flags;
    Section.Alignment = Header.sh_addralign;
    Section.Type = Header.sh_type;
    Section.IsZero = Header.sh_type == ELF::SHT_NOBITS || Header.sh_type == ELF::SHT_NULL;
    if (Section.IsZero)
      continue;
    Expected<ArrayRef<uint8_t>> Contents = File.getSectionContents(Header);
    if (!Contents)
      return notACubin(toString(Contents.takeError()));
    Section.Contents = toStringRef(*Contents);
  }
  return Error::success();
}

static Error readSymbols(const Elf &File, const Elf::Elf_Shdr &Table, Elf::Elf_Shdr_Range Headers,
                         CubinFile &Cubin) {
  Expected<StringRef> Names = File.getStringTableForSymtab(Table, Headers);
  if (!Names)
    return notACubin(toString(Names.takeError()));
  Expected<Elf::Elf_Sym_Range> Symbols = File.symbols(&Table);
  if (!Symbols)
    return notACubin(toString(Symbols.takeError()));
  for (const Elf::Elf_Sym &Symbol : *Symbols) {
    Expected<StringRef> Name = Symbol.getName(*Names);
    if (!Name)
      return notACubin(toString(Name.takeError()));
    Cubin.Symbols.push_back({*Name, Symbol.st_value, Symbol.st_size, Symbol.st_shndx, Symbol.getType(),
                             Symbol.st_other, Symbol.getBinding() == ELF::STB_LOCAL});
  }
  return Error::success();
}

/// Into the section that \p Header, of type SHT_RELA or SHT_REL, is about.
static Error readRelocations(const Elf &File, const Elf::Elf_Shdr &Header, CubinFile &Cubin) {
  if (Header.sh_info >= Cubin.Sections.size())
    return notACubin("relocations of a section that does not exist");
  std::vector<CubinRelocation> &Into = Cubin.Sections[Header.sh_info].Relocations;
  if (Header.sh_type == ELF::SHT_REL) {
    Expected<Elf::Elf_Rel_Range> All = File.rels(Header);
    if (!All)
      return notACubin(toString(All.takeError()));
    for (const Elf::Elf_Rel &R : *All)
      Into.push_back({R.r_offset, R.getType(/*isMips64EL=*/false), R.getSymbol(/*isMips64EL=*/false), 0});
    return Error::success();
  }
  Expected<Elf::Elf_Rela_Range> All = File.relas(Header);
  if (!All)
    return notACubin(toString(All.takeError()));
  for (const Elf::Elf_Rela &R : *All)
    Into.push_back(
        {R.r_offset, R.getType(/*isMips64EL=*/false), R.getSymbol(/*isMips64EL=*/false), R.r_addend});
  return Error::success();
}

Expected<CubinFile> readCubinFile(StringRef Image) {
  Expected<Elf> File = Elf::create(Image);
  if (!File)
    return notACubin(toString(File.takeError()));
  const Elf::Elf_Ehdr &Header = File->getHeader();
  if (!Image.starts_with(ELF::ElfMagic) || Header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      Header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB || Header.e_machine != ELF::EM_CUDA)
    return notACubin("it is for another machine");
  Expected<Elf::Elf_Shdr_Range> Headers = File->sections();
  if (!Headers)
    return notACubin(toString(Headers.takeError()));
  CubinFile Cubin;
  Cubin.Flags = Header.e_flags;
  Cubin.AbiVersion = Header.e_ident[ELF::EI_ABIVERSION];
  if (Error E = readSections(*File, *Headers, Cubin))
    return std::move(E);
  for (const Elf::Elf_Shdr &Section : *Headers) {
    Error E = Error::success();
    if (Section.sh_type == ELF::SHT_SYMTAB)
      E = readSymbols(*File, Section, *Headers, Cubin);
    else if (Section.sh_type == ELF::SHT_RELA || Section.sh_type == ELF::SHT_REL)
      E = readRelocations(*File, Section, Cubin);
    if (E)
      return std::move(E);
  }
  for (CubinSection &Section : Cubin.Sections)
    llvm::sort(Section.Relocations, [](const CubinRelocation &A, const CubinRelocation &B) {
      return std::tie(A.Offset, A.Type, A.Symbol, A.Addend) < std::tie(B.Offset, B.Type, B.Symbol, B.Addend);
    });
  return Cubin;
}

} // namespace gpuprune
