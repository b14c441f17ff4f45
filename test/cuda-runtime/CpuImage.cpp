//===- CpuImage.cpp - Device code as a program for the CPU carries it ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuImage.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::support;

namespace gpuprune {

static constexpr StringLiteral Magic = "GPUP-CPU";
static constexpr uint32_t Version = 1;

namespace {

/// What __cudaRegisterFatBinary() is given (clang/lib/CodeGen/CGCUDANV.cpp).
struct FatBinaryWrapper {
  int Magic, Version;
  const char *Data;
  const void *Unused;
};

} // namespace

Expected<std::vector<ArchCode>> readCpuImage(const void *Given) {
  const char *Data = static_cast<const FatBinaryWrapper *>(Given)->Data;
  if (StringRef(Data, Magic.size()) != Magic || endian::read32le(Data + 8) != Version)
    return makeError(ErrorKind::Input, "the program holds device code for a GPU, not for the CPU; compile it "
                                       "with test/cuda-runtime/compile.py");
  std::vector<ArchCode> Codes(endian::read32le(Data + 12));
  const char *Header = Data + 16;
  const char *At = Header + 24 * Codes.size();
  for (ArchCode &Code : Codes) {
    uint64_t BitcodeBytes = endian::read64le(Header + 8), CubinBytes = endian::read64le(Header + 16);
    Code = {endian::read32le(Header), StringRef(At, BitcodeBytes), StringRef(At + BitcodeBytes, CubinBytes)};
    Header += 24;
    At += BitcodeBytes + CubinBytes;
  }
  return Codes;
}

} // namespace gpuprune
