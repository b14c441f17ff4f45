//===- CubinFile.h - The ELF file that a cubin is ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_CUBINFILE_H
#define GPUPRUNE_MACHINECODE_CUBINFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace gpuprune {

/// EIATTR_* codes of the records that are read.
enum class CubinAttribute : uint8_t {
  MaxThreads = 0x05,    ///< .maxntid: three words.
  ParameterBank = 0x0a, ///< Symbol of the constant bank, then offset and size.
  Externs = 0x0f,       ///< Symbols of functions that other modules define.
  RequiredBlock = 0x10, ///< .reqntid: three words.
  FrameSize = 0x11,     ///< Symbol, bytes.
  MinStackSize = 0x12,  ///< Symbol, bytes.
  ParameterSize = 0x19, ///< A value.
  MaxRegisters = 0x1b,  ///< .maxnreg, or 255: a value.
  MaxStackSize = 0x23,  ///< Symbol, bytes.
  RegisterCount = 0x2f, ///< Symbol, count.
  BarrierCount = 0x4c,  ///< A value.
};

/// One of .nv.info or .nv.info.<kernel>.
struct CubinRecord {
  CubinAttribute Code;
  uint16_t Value; ///< Where there is no payload.
  llvm::StringRef Payload;

  /// Word \p Index of the payload, 0 beyond its end.
  uint32_t word(size_t Index) const;
};

/// Input that is none; all errors of this file are.
llvm::Error notACubin(const llvm::Twine &What);

llvm::Error forEachRecord(llvm::StringRef Section, llvm::function_ref<void(const CubinRecord &)> Take);

struct CubinSymbol {
  llvm::StringRef Name;
  uint64_t Value = 0, Size = 0;
  uint32_t Section = 0; ///< SHN_UNDEF, a section of the file, or another reserved number.
  uint8_t Type = 0, Other = 0;
  bool IsLocal = true;
};

struct CubinRelocation {
  uint64_t Offset = 0;
  uint32_t Type = 0;
  uint32_t Symbol = 0;
  int64_t Addend = 0;
};

struct CubinSection {
  llvm::StringRef Name;
  llvm::StringRef Contents; ///< Empty where IsZero.
  uint64_t Size = 0, Flags = 0, Alignment = 0;
  uint32_t Type = 0;
  bool IsZero = false;                      ///< Has no bytes in the file.
  std::vector<CubinRelocation> Relocations; ///< Of its contents, by offset.
};

/// What the file in an image holds, by ELF's numbers. Outlived by the image.
struct CubinFile {
  uint32_t Flags = 0;
  uint8_t AbiVersion = 0;
  std::vector<CubinSection> Sections;
  std::vector<CubinSymbol> Symbols; ///< The first is none.
};

/// CodeGen error on anything that is not a cubin. Numbers of symbols and sections in it may lead nowhere.
llvm::Expected<CubinFile> readCubinFile(llvm::StringRef Image);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_CUBINFILE_H
