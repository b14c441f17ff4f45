//===- ProgramIdentity.cpp - Which build of this program runs ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/ProgramIdentity.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/TargetParser/Host.h"
#include <link.h>
#include <vector>

using namespace llvm;

namespace gpuprune {

/// Of the note in the \p Bytes that the linker has put into the program; empty where there is none.
static ArrayRef<uint8_t> buildIdIn(ArrayRef<uint8_t> Bytes, uint64_t Alignment) {
  static constexpr StringLiteral Owner = "GNU";
  Align To(Alignment == 8 ? 8 : 4);
  while (Bytes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) Note;
    std::memcpy(&Note, Bytes.data(), sizeof(Note));
    size_t Begin = alignTo(sizeof(Note) + Note.n_namesz, To), End = alignTo(Begin + Note.n_descsz, To);
    if (Begin + Note.n_descsz > Bytes.size())
      return {};
    StringRef Name = toStringRef(Bytes.slice(sizeof(Note), Note.n_namesz));
    if (Note.n_type == NT_GNU_BUILD_ID && Name.rtrim('\0') == Owner)
      return Bytes.slice(Begin, Note.n_descsz);
    Bytes = Bytes.drop_front(std::min(End, Bytes.size()));
  }
  return {};
}

static ArrayRef<uint8_t> buildIdOf(const dl_phdr_info &Object) {
  for (const ElfW(Phdr) &Header : ArrayRef(Object.dlpi_phdr, Object.dlpi_phnum)) {
    if (Header.p_type != PT_NOTE)
      continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader's addresses are integers.
    const auto *Notes = reinterpret_cast<const uint8_t *>(Object.dlpi_addr + Header.p_vaddr);
    if (ArrayRef<uint8_t> Id = buildIdIn({Notes, size_t(Header.p_memsz)}, Header.p_align); !Id.empty())
      return Id;
  }
  return {};
}

namespace {
struct LoadedObjects {
  std::vector<std::string> Identities;
  bool Complete = true;
};
} // namespace

static int addObject(dl_phdr_info *Object, size_t, void *Data) {
  auto &Objects = *static_cast<LoadedObjects *>(Data);
  StringRef Path = Object->dlpi_name;
  if (Path.starts_with("linux-vdso")) // The kernel's; nothing is computed there.
    return 0;
  if (ArrayRef<uint8_t> Id = buildIdOf(*Object); !Id.empty()) {
    Objects.Identities.push_back(toHex(Id));
    return 0;
  }
  Expected<std::string> Content = readFile(Path.empty() ? "/proc/self/exe" : Path);
  Objects.Complete &= bool(Content);
  if (Content)
    Objects.Identities.push_back(toHex(BLAKE3::hash<32>(arrayRefFromStringRef(*Content))));
  else
    consumeError(Content.takeError());
  return 0;
}

std::string programIdentity() {
  LoadedObjects Objects;
  dl_iterate_phdr(addObject, &Objects);
  if (!Objects.Complete)
    return "";
  llvm::sort(Objects.Identities);
  std::string Text = join(Objects.Identities, ";") + ";" + sys::getHostCPUName().str();
  std::vector<std::string> Features;
  for (const auto &[Name, Has] : sys::getHostCPUFeatures())
    if (Has)
      Features.push_back(Name.str());
  llvm::sort(Features);
  Text += ";" + join(Features, ",");
  return toHex(BLAKE3::hash<32>(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

} // namespace gpuprune
