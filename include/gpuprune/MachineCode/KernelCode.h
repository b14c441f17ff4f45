//===- KernelCode.h - The machine code of the kernels in a cubin ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MACHINECODE_KERNELCODE_H
#define GPUPRUNE_MACHINECODE_KERNELCODE_H

#include "gpuprune/MachineCode/DecodedInstruction.h"
#include "llvm/Support/Error.h"
#include <map>
#include <vector>

namespace gpuprune {

/// A kernel with the functions that ptxas has put into its section: its slow paths of divisions
/// and roots, for instance.
struct KernelCode {
  std::string Name;
  unsigned Architecture = 0;
  std::vector<DecodedInstruction> Instructions; ///< By offset, without gaps.

  /// The names of what makes a figure that is computed from this code an estimate: "Unknown", and opcodes
  /// that wait for other things than barriers. With the number of each.
  std::map<std::string, unsigned> Estimated;

  bool isEstimated() const { return !Estimated.empty(); }
};

/// The instructions of \p Section, the bytes of a .text section of sm_<Architecture>. CodeGen error where
/// they are no whole number of instructions.
llvm::Expected<KernelCode> decodeSection(llvm::StringRef Section, unsigned Architecture,
                                         llvm::StringRef Name);

/// Of each .text.<kernel> of the cubin \p Image. CodeGen error on anything that is not a cubin, or one for an
/// architecture with another encoding (before sm_80).
llvm::Expected<std::vector<KernelCode>> readKernelCode(llvm::StringRef Image);

} // namespace gpuprune

#endif // GPUPRUNE_MACHINECODE_KERNELCODE_H
