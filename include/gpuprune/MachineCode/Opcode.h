//===- Opcode.h - The opcodes of sm_80 to sm_121 ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_OPCODE_H
#define GPUPRUNE_MACHINECODE_OPCODE_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuprune {

/// The 128 bits of an instruction.
struct Encoding {
  uint64_t Low = 0, High = 0;

  /// \p Count bits, at most 64, from bit \p First on.
  constexpr uint64_t field(unsigned First, unsigned Count) const {
    uint64_t Value = First >= 64 ? High >> (First - 64) : Low >> First;
    if (First < 64 && First + Count > 64)
      Value |= High << (64 - First);
    return Count == 64 ? Value : Value & ((uint64_t(1) << Count) - 1);
  }
  constexpr bool bit(unsigned Index) const { return field(Index, 1); }
  constexpr unsigned opcode() const { return field(0, 9); }
  /// Which operands are immediates, constants or uniform registers.
  constexpr unsigned form() const { return field(9, 3); }
};

/// The unit that executes an instruction, by the names of Nsight Compute.
enum class Pipe : uint8_t { None, Alu, Fma, Fp64, Xu, Uniform, Lsu, Tex, Tensor, Adu, Cbu };

enum class LatencyKind : uint8_t {
  None,     ///< No result that an instruction could wait for.
  Fixed,    ///< Stall cycles cover it.
  Variable, ///< Who needs the result waits on a barrier.
  Fp64,     ///< Fixed on sm_90 and sm_100, variable on sm_80 and sm_120.
};

/// The operands of an opcode: a set of these.
namespace operand {
enum Operand : uint32_t {
  None = 0,
  D = 1 << 0,  ///< Bits 16-23.
  A = 1 << 1,  ///< Bits 24-31.
  B = 1 << 2,  ///< The second and third source: where they are, and whether they
  C = 1 << 3,  ///< are registers at all, the form says (Operands.cpp).
  V = 1 << 4,  ///< Bits 32-39 in every form: data that is stored.
  W = 1 << 5,  ///< Bits 64-71 in every form: second data of an atomic operation.
  G = 1 << 6,  ///< An address of global or generic memory: registers and a descriptor.
  M = 1 << 7,  ///< An address of shared or local memory.
  S = 1 << 8,  ///< The two last sources of SHFL.
  P = 1 << 9,  ///< Predicates in bits 81-83,
  Q = 1 << 10, ///< 84-86,
  X = 1 << 11, ///< 87-89,
  Y = 1 << 12, ///< 77-79,
  Z = 1 << 13, ///< 68-70.
  /// A, B, C, D and the predicates are uniform registers, the guard is a uniform predicate.
  U = 1 << 14,
  DU = 1 << 15,  ///< Only D is,
  AU = 1 << 16,  ///< only A is,
  PU = 1 << 17,  ///< only P is.
  Own = 1 << 18, ///< As Operands.cpp says of this opcode.
};
} // namespace operand

/// How many registers the operands of an opcode have; one each where nothing else is said.
enum class OperandSize : uint8_t {
  One,
  Two,          ///< All of them.
  WideMultiply, ///< Two for D and C.
  HighMultiply, ///< Two for C.
  Flagged,      ///< Two for all with bit 80.
  Move,         ///< The same, and in form 2.
  Select,       ///< Two for all in forms 2, 3 and 7.
  MinMax,       ///< Two for all with bit 74.
  Convert,      ///< By bits 75-76 for D, 84-85 for B.
  Access,       ///< By bits 73-75 for what is loaded or stored.
  Atomic,       ///< The same, with types of integers and sums.
  AtomicFloat,  ///< The same, with floating-point types.
  Matrix,       ///< By bits 72-73 for D.
  HalfTensor,   ///< By shape and type (Operands.cpp).
  IntTensor,
  DoubleTensor,
};

struct OpcodeInfo {
  const char *Name;
  uint16_t Bits;
  InstructionClass Class;
  gpuprune::Pipe Pipe;
  LatencyKind Latency;
  uint32_t Operands; ///< Of operand::Operand.
  OperandSize Size;
  bool IsKnown = true;
  /// Waits for other things than the barriers in the control bits (asynchronous copies, mbarrier,
  /// asynchronous matrix products), and its operands are not decoded.
  bool IsAsynchronous = false;

  bool isVariable(unsigned Architecture) const;
};

/// The row of \p Code on sm_<Architecture>; one that is not known, named "Unknown", where there is none.
const OpcodeInfo &findOpcode(const Encoding &Code, unsigned Architecture);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_OPCODE_H
