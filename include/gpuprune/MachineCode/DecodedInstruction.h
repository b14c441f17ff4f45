//===- DecodedInstruction.h - A decoded instruction of machine code ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sm_80 to sm_121 share one encoding: 128 bits an instruction. Which bits mean what
// was found by compiling kernels with ptxas and comparing with what nvdisasm prints
// (docs/machine-code.md).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_DECODEDINSTRUCTION_H
#define GPUPRUNE_MACHINECODE_DECODEDINSTRUCTION_H

#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/MachineCode/Opcode.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpuprune {

enum class RegisterFile : uint8_t { General, Uniform, Predicate, UniformPredicate };

/// \p Count registers of one file, \p First the lowest.
struct RegisterRange {
  RegisterFile File;
  uint8_t First;
  uint8_t Count;

  bool operator==(const RegisterRange &) const = default;
  bool overlaps(const RegisterRange &Other) const {
    return File == Other.File && First < Other.First + Other.Count && Other.First < First + Count;
  }
};

/// "R4", "UR6", "P0" or "UP1".
std::string registerName(RegisterFile File, unsigned Number);

/// What ptxas decided about the order of execution (bits 105-125).
struct ControlBits {
  static constexpr unsigned NumBarriers = 6;
  static constexpr uint8_t NoBarrier = 7;

  uint8_t Stall = 0; ///< Cycles until the warp's next instruction can be issued.
  bool Yield = false;
  uint8_t WriteBarrier = NoBarrier; ///< Counts down when the result is written,
  uint8_t ReadBarrier = NoBarrier;  ///< when the sources have been read.
  uint8_t WaitMask = 0;             ///< One bit a barrier that has to be zero.
  uint8_t Reuse = 0;                ///< One bit a source that the operand cache keeps.

  bool waitsOn(unsigned Barrier) const { return Barrier < NumBarriers && (WaitMask >> Barrier & 1); }
};

ControlBits decodeControl(const Encoding &Code);

/// The predicate that an instruction is executed under.
struct GuardPredicate {
  static constexpr uint8_t True = 7; ///< PT or UPT.

  uint8_t Number = True;
  bool IsNegated = false;
  bool IsUniform = false;

  bool isAlways() const { return Number == True && !IsNegated; }
  bool isNever() const { return Number == True && IsNegated; }
};

/// DEPBAR.LE: waits until a barrier counts no more than that.
struct CountedWait {
  uint8_t Barrier;
  uint8_t Count;
};

struct DecodedInstruction {
  uint32_t Offset = 0; ///< From the begin of the section.
  const OpcodeInfo *Opcode = nullptr;
  GuardPredicate Guard;
  ControlBits Control;
  /// Without RZ, URZ, PT and UPT; the guard's predicate is one of Reads. A call reads and writes what the
  /// function does besides.
  llvm::SmallVector<RegisterRange, 3> Writes;
  llvm::SmallVector<RegisterRange, 5> Reads;
  std::optional<int64_t> Target; ///< Of a branch or call, and where BSSY's threads meet: as Offset.
  uint8_t AccessBytes = 0;       ///< That a thread loads or stores.
  /// Of LDC and ULDC: the bytes that the instruction adds to its register, if it has one.
  std::optional<int16_t> ConstantOffset;
  std::optional<gpuprune::CountedWait> CountedWait;

  bool isNamed(llvm::StringRef Name) const { return Name == Opcode->Name; }
};

DecodedInstruction decodeInstruction(const Encoding &Code, uint32_t Offset, unsigned Architecture);

/// Whether sm_<Architecture> has this encoding.
bool isDecodable(unsigned Architecture);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_DECODEDINSTRUCTION_H
