//===- PtxKernel.h - A kernel's instructions, read from PTX -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_PTXKERNEL_H
#define GPUPRUNE_LIB_TRACE_PTXKERNEL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// What an instruction reads.
struct PtxOperand {
  enum class Form : uint8_t { Register, Immediate, Symbol };
  Form Is = Form::Immediate;
  uint32_t Register = 0;
  uint64_t Bits = 0;    ///< Of an immediate.
  llvm::StringRef Name; ///< Of a symbol: a special register, a variable, a parameter.
};

/// What is between brackets: a register or symbol, and bytes that are added.
struct PtxAddress {
  PtxOperand Base;
  int64_t Offset = 0;
};

struct TracedInstruction {
  llvm::StringRef Mnemonic;                   ///< "mad.lo.s32".
  std::optional<uint32_t> Guard;              ///< A register.
  bool IsGuardInverted = false;               ///< Executed where the guard is false.
  llvm::SmallVector<uint32_t, 1> Results;     ///< Registers that it writes; Unused for "_".
  llvm::SmallVector<PtxOperand, 3> Operands;  ///< Without addresses; vectors element by element.
  llvm::SmallVector<PtxAddress, 1> Addresses; ///< One, or two of a copy: where to and where from.

  static constexpr uint32_t Unused = ~0u;
  llvm::StringRef stem() const { return Mnemonic.split('.').first; }
};

enum class PtxSpace : uint8_t { Generic, Global, Shared, Constant, Local, Parameter };

/// A variable of the module or of the kernel.
struct PtxVariable {
  PtxSpace Space = PtxSpace::Global;
  uint64_t Alignment = 1, Bytes = 0; ///< 0 bytes: dynamic shared memory.
  std::string Name;
  std::vector<char> Initial; ///< Empty: zeros.
  bool IsInitialKnown = true;
};

struct PtxKernel {
  std::string Body;                            ///< Which the instructions are parts of.
  std::vector<TracedInstruction> Instructions; ///< By the places that FlowGraph has.
  uint32_t Registers = 0;
  std::vector<PtxVariable> Variables;
  llvm::StringMap<unsigned> Parameters; ///< Their positions.
};

/// The refusal that \p I makes of a kernel.
llvm::Error notTraced(const TracedInstruction &I);

/// \p Symbol of \p Ptx as LLVM writes it. CodeGen error where there is no such kernel or it is not
/// understood.
llvm::Expected<std::unique_ptr<PtxKernel>> readPtxKernel(llvm::StringRef Ptx, llvm::StringRef Symbol);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_PTXKERNEL_H
