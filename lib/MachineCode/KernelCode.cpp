//===- KernelCode.cpp - The machine code of the kernels in a cubin ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/KernelCode.h"
#include "gpuprune/MachineCode/CubinFile.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace gpuprune {

/// ptxas 13 writes ABI version 8, in which the architecture has moved.
static unsigned architectureOf(const CubinFile &File) {
  constexpr uint8_t VersionThatMoved = 8;
  if (File.AbiVersion >= VersionThatMoved)
    return (File.Flags & ELF::EF_CUDA_SM_MASK) >> ELF::EF_CUDA_SM_OFFSET;
  return File.Flags & ELF::EF_CUDA_SM;
}

Expected<KernelCode> decodeSection(StringRef Section, unsigned Architecture, StringRef Name) {
  if (Section.size() % InstructionBytes != 0 || Section.size() > UINT32_MAX)
    return notACubin("the code of '" + Name + "' is no whole number of instructions");
  KernelCode Code;
  Code.Name = Name.str();
  Code.Architecture = Architecture;
  Code.Instructions.reserve(Section.size() / InstructionBytes);
  for (size_t Offset = 0; Offset != Section.size(); Offset += InstructionBytes) {
    const char *Bytes = Section.data() + Offset;
    Encoding Bits{support::endian::read64le(Bytes), support::endian::read64le(Bytes + 8)};
    DecodedInstruction &I =
        Code.Instructions.emplace_back(decodeInstruction(Bits, uint32_t(Offset), Architecture));
    if (!I.Opcode->IsKnown || I.Opcode->IsAsynchronous)
      ++Code.Estimated[I.Opcode->Name];
  }
  return Code;
}

Expected<std::vector<KernelCode>> readKernelCode(StringRef Image) {
  Expected<CubinFile> File = readCubinFile(Image);
  if (!File)
    return File.takeError();
  unsigned Architecture = architectureOf(*File);
  if (!isDecodable(Architecture))
    return notACubin("its code is for sm_" + Twine(Architecture) +
                     "; that of sm_80 to sm_121 can be decoded");
  std::vector<KernelCode> Codes;
  for (const CubinSection &Section : File->Sections) {
    StringRef Kernel = Section.Name;
    if (!Kernel.consume_front(".text.") || Section.Type != ELF::SHT_PROGBITS)
      continue;
    Expected<KernelCode> Code = decodeSection(Section.Contents, Architecture, Kernel);
    if (!Code)
      return Code.takeError();
    Codes.push_back(std::move(*Code));
  }
  return Codes;
}

} // namespace gpuprune
