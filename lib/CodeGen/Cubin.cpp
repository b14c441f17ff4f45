//===- Cubin.cpp - What a cubin says of its kernels -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/MachineCode/CubinFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral InfoPrefix = ".nv.info.", SharedPrefix = ".nv.shared.",
                               ReservedSharedPrefix = ".nv.shared.reserved.", TextPrefix = ".text.";

static Dim3 extents(const CubinRecord &R) { return {R.word(0), R.word(1), R.word(2)}; }

static void takeKernelRecord(const CubinRecord &R, CubinKernel &Kernel) {
  switch (R.Code) {
  case CubinAttribute::ParameterSize:
    Kernel.ParameterBytes = R.Value;
    break;
  case CubinAttribute::BarrierCount:
    Kernel.Barriers = R.Value & 0xff;
    break;
  case CubinAttribute::MaxThreads:
    Kernel.MaxBlock = extents(R);
    break;
  case CubinAttribute::RequiredBlock:
    Kernel.RequiredBlock = extents(R);
    break;
  default:
    break;
  }
}

bool CubinKernel::takesBlock(const Dim3 &Block) const {
  return (!MaxBlock || Block.volume() <= MaxBlock->volume()) && (!RequiredBlock || Block == *RequiredBlock);
}

static void takeFileRecord(const CubinRecord &R, ArrayRef<CubinSymbol> Symbols,
                           std::map<std::string, CubinKernel> &Kernels) {
  if (R.Code != CubinAttribute::RegisterCount && R.Code != CubinAttribute::FrameSize)
    return;
  size_t Symbol = R.word(0);
  auto Kernel = Symbol < Symbols.size() ? Kernels.find(Symbols[Symbol].Name.str()) : Kernels.end();
  if (Kernel == Kernels.end())
    return; // A function that is no kernel.
  if (R.Code == CubinAttribute::RegisterCount)
    Kernel->second.Registers = R.word(1);
  else
    Kernel->second.LocalBytes = R.word(1);
}

/// Kernels are the functions with an .nv.info.<name> section.
static Error readKernels(const CubinFile &File, uint64_t SharedReserved,
                         std::map<std::string, CubinKernel> &Kernels) {
  StringRef FileInfo;
  for (const CubinSection &Section : File.Sections) {
    if (Section.Name == ".nv.info")
      FileInfo = Section.Contents;
    if (!Section.Name.starts_with(InfoPrefix))
      continue;
    CubinKernel &Kernel = Kernels[Section.Name.drop_front(InfoPrefix.size()).str()];
    if (Error E = forEachRecord(Section.Contents, [&](const CubinRecord &R) { takeKernelRecord(R, Kernel); }))
      return E;
  }
  // Only where there is this section is what the system takes a part of the others: from sm_90 on.
  bool HasReserved = any_of(File.Sections, [](const CubinSection &Section) {
    return Section.Name.starts_with(ReservedSharedPrefix);
  });
  for (const CubinSection &Section : File.Sections) {
    auto Find = [&](StringRef Prefix) {
      return Section.Name.starts_with(Prefix) ? Kernels.find(Section.Name.drop_front(Prefix.size()).str())
                                              : Kernels.end();
    };
    if (auto Kernel = Find(TextPrefix); Kernel != Kernels.end())
      Kernel->second.CodeBytes = Section.Size;
    if (auto Kernel = Find(SharedPrefix); Kernel != Kernels.end())
      Kernel->second.StaticShared =
          Section.Size - (HasReserved ? std::min<uint64_t>(Section.Size, SharedReserved) : 0);
  }
  return forEachRecord(FileInfo, [&](const CubinRecord &R) { takeFileRecord(R, File.Symbols, Kernels); });
}

Expected<std::map<std::string, CubinKernel>> readCubin(StringRef Image, uint64_t SharedReserved) {
  Expected<CubinFile> File = readCubinFile(Image);
  if (!File)
    return File.takeError();
  std::map<std::string, CubinKernel> Kernels;
  if (Error E = readKernels(*File, SharedReserved, Kernels))
    return std::move(E);
  return Kernels;
}

} // namespace gpuprune
