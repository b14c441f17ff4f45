//===- Cubin.cpp - What a cubin says of its kernels -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace llvm::object;

namespace gpuprune {

namespace {

/// EIATTR_* codes of the records that are read.
enum Attribute : uint8_t {
  FrameSize = 0x11,
  ParameterSize = 0x19,
  RegisterCount = 0x2f,
  BarrierCount = 0x4c,
};

/// EIFMT_SVAL: the record's 16 bits are the size of a payload that follows;
/// in the other formats they are the value itself.
constexpr uint8_t SizedFormat = 0x04;

struct Record {
  uint8_t Code;
  uint16_t Value;
  StringRef Payload;

  /// Word \p Index of the payload, 0 beyond its end.
  uint32_t word(size_t Index) const {
    return Payload.size() >= 4 * (Index + 1) ? support::endian::read32le(Payload.data() + 4 * Index) : 0;
  }
};

constexpr StringLiteral InfoPrefix = ".nv.info.", SharedPrefix = ".nv.shared.",
                        ReservedSharedPrefix = ".nv.shared.reserved.", TextPrefix = ".text.";

} // namespace

static Error malformed(const Twine &What) {
  return makeError(ErrorKind::CodeGen, "not a cubin that can be read: " + What);
}

static Error forEachRecord(StringRef Section, function_ref<void(const Record &)> Take) {
  while (!Section.empty()) {
    if (Section.size() < 4)
      return malformed("a record of .nv.info is cut off");
    Record R{static_cast<uint8_t>(Section[1]), support::endian::read16le(Section.data() + 2), {}};
    size_t PayloadSize = static_cast<uint8_t>(Section[0]) == SizedFormat ? R.Value : 0;
    Section = Section.drop_front(4);
    if (PayloadSize > Section.size())
      return malformed("a record of .nv.info is longer than its section");
    R.Payload = Section.take_front(PayloadSize);
    Section = Section.drop_front(PayloadSize);
    Take(R);
  }
  return Error::success();
}

static Expected<std::vector<std::string>> symbolNames(const ELF64LEObjectFile &Elf) {
  std::vector<std::string> Names(1); // Index 0 is no symbol.
  for (const SymbolRef &Symbol : Elf.symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return malformed(toString(Name.takeError()));
    Names.push_back(Name->str());
  }
  return Names;
}

static void takeKernelRecord(const Record &R, CubinKernel &Kernel) {
  if (R.Code == ParameterSize)
    Kernel.ParameterBytes = R.Value;
  else if (R.Code == BarrierCount)
    Kernel.Barriers = R.Value & 0xff;
}

static void takeFileRecord(const Record &R, ArrayRef<std::string> Symbols,
                           std::map<std::string, CubinKernel> &Kernels) {
  if (R.Code != RegisterCount && R.Code != FrameSize)
    return;
  size_t Symbol = R.word(0);
  auto Kernel = Symbol < Symbols.size() ? Kernels.find(Symbols[Symbol]) : Kernels.end();
  if (Kernel == Kernels.end())
    return; // A function that is no kernel.
  if (R.Code == RegisterCount)
    Kernel->second.Registers = R.word(1);
  else
    Kernel->second.LocalBytes = R.word(1);
}

/// Kernels are the functions with an .nv.info.<name> section.
static Error readSections(const ELF64LEObjectFile &Elf, ArrayRef<std::string> Symbols,
                          uint64_t SharedReserved, std::map<std::string, CubinKernel> &Kernels) {
  StringRef FileInfo;
  for (const SectionRef &Section : Elf.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return malformed(toString(Name.takeError()));
    if (!Name->starts_with(".nv.info"))
      continue;
    Expected<StringRef> Content = Section.getContents();
    if (!Content)
      return malformed(toString(Content.takeError()));
    if (*Name == ".nv.info")
      FileInfo = *Content;
    if (!Name->starts_with(InfoPrefix))
      continue;
    CubinKernel &Kernel = Kernels[Name->drop_front(InfoPrefix.size()).str()];
    if (Error E = forEachRecord(*Content, [&](const Record &R) { takeKernelRecord(R, Kernel); }))
      return E;
  }
  // Only where there is this section is what the system takes a part of the others: from sm_90 on.
  bool HasReserved = any_of(Elf.sections(), [](const SectionRef &Section) {
    return cantFail(Section.getName()).starts_with(ReservedSharedPrefix); // Read above.
  });
  for (const SectionRef &Section : Elf.sections()) {
    StringRef Name = cantFail(Section.getName());
    auto Find = [&](StringRef Prefix) {
      return Name.starts_with(Prefix) ? Kernels.find(Name.drop_front(Prefix.size()).str()) : Kernels.end();
    };
    if (auto Kernel = Find(TextPrefix); Kernel != Kernels.end())
      Kernel->second.CodeBytes = Section.getSize();
    if (auto Kernel = Find(SharedPrefix); Kernel != Kernels.end())
      Kernel->second.StaticShared =
          Section.getSize() - (HasReserved ? std::min<uint64_t>(Section.getSize(), SharedReserved) : 0);
  }
  return forEachRecord(FileInfo, [&](const Record &R) { takeFileRecord(R, Symbols, Kernels); });
}

Expected<std::map<std::string, CubinKernel>> readCubin(StringRef Image, uint64_t SharedReserved) {
  Expected<std::unique_ptr<ObjectFile>> Object =
      ObjectFile::createELFObjectFile(MemoryBufferRef(Image, "cubin"));
  if (!Object)
    return malformed(toString(Object.takeError()));
  auto *Elf = dyn_cast<ELF64LEObjectFile>(Object->get());
  if (!Elf || Elf->getELFFile().getHeader().e_machine != ELF::EM_CUDA)
    return malformed("it is for another machine");
  Expected<std::vector<std::string>> Symbols = symbolNames(*Elf);
  if (!Symbols)
    return Symbols.takeError();
  std::map<std::string, CubinKernel> Kernels;
  if (Error E = readSections(*Elf, *Symbols, SharedReserved, Kernels))
    return std::move(E);
  return Kernels;
}

} // namespace gpuprune
