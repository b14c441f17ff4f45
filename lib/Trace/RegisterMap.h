//===- RegisterMap.h - Registers and values that a launch fixes -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_REGISTERMAP_H
#define GPUPRUNE_LIB_TRACE_REGISTERMAP_H

#include "ProgramBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuprune {

/// Where what a kernel's instructions read and write is found in a WarpProgram. What follows from the launch
/// alone is a constant of the program.
class RegisterMap {
public:
  RegisterMap(const PtxKernel &Kernel, const NeededParts &Parts, const TracedLaunch &Launch,
              const VariableAddresses &Variables, WarpProgram &Program)
      : Kernel(Kernel), Parts(Parts), Launch(Launch), Variables(Variables), Program(Program),
        Places(Kernel.Registers, Unknown) {}

  /// Of an operand; nothing of a symbol that is not known.
  std::optional<uint32_t> place(const PtxOperand &Operand);
  uint32_t place(uint32_t Register);
  /// A register of the warp that nothing else uses.
  uint32_t temporary() { return Program.Registers++; }
  uint32_t constant(uint64_t Bits);
  /// Whether the only instruction that writes \p Register gives it the same value in all threads.
  bool isConstant(uint32_t Register) { return place(Register) & ConstantBit; }

  /// What \p I, a load of the form \p Form, finds in a parameter for its result number \p Element.
  std::optional<uint64_t> parameter(const TracedInstruction &I, const TraceAccess &Form,
                                    unsigned Element) const;

private:
  static constexpr uint32_t Unknown = ~0u, BeingFound = ~0u - 1;

  const PtxKernel &Kernel;
  const NeededParts &Parts;
  const TracedLaunch &Launch;
  const VariableAddresses &Variables;
  WarpProgram &Program;
  std::vector<uint32_t> Places; ///< By register of the kernel.
  llvm::DenseMap<uint64_t, uint32_t> Constants;

  std::optional<uint32_t> symbol(llvm::StringRef Name);
  std::optional<uint64_t> valueOf(uint32_t Register);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_REGISTERMAP_H
