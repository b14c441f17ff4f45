//===- Assembler.h - PTX to cubins, many variants in one run of ptxas -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of a run of ptxas is starting up. Variants of the same kernel are given
// symbols of their own and assembled together, which changes neither registers
// nor code: a test compares both ways.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_ASSEMBLER_H
#define GPUPRUNE_CODEGEN_ASSEMBLER_H

#include "gpuprune/CodeGen/Cubin.h"
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// Each symbol that \p Ptx defines at module level, with \p Suffix appended
/// wherever it stands; but visible .const and .global variables, which the host
/// finds by their names.
std::string renameSymbols(llvm::StringRef Ptx, llvm::StringRef Suffix);

/// Assembles \p Ptx as it is; returns what ptxas -v printed. Errors: Resources
/// where a kernel asks for more than the device has, else Ptxas.
llvm::Expected<std::string> runPtxas(const Toolchain &Tools, const DeviceInfo &Device, llvm::StringRef Ptx,
                                     const std::string &CubinPath);

/// The cubin of \p Ptx as it is. Errors: as runPtxas(), and those of readCubin() where it is none.
llvm::Expected<std::string> assembleImage(const Toolchain &Tools, const DeviceInfo &Device,
                                          llvm::StringRef Ptx);

/// What decides, beside the PTX, on the machine code: ptxas's version and its options
/// for \p Device. Empty where ptxas does not tell its version.
std::string assemblerIdentity(const Toolchain &Tools, const DeviceInfo &Device);

struct AssemblyJob {
  llvm::StringRef Ptx;
  std::string Kernel; ///< Its symbol in Ptx.
  /// Of its symbols in the file; nothing: its place among the jobs.
  std::optional<size_t> Number = std::nullopt;
};

struct AssembledKernel {
  std::string Cubin;  ///< Path of the file; other variants may be in it too.
  std::string Symbol; ///< The kernel's symbol there.
  CubinKernel Resources;
  std::string MachineCode;      ///< Equal for equal programs (CodeDigest.h).
  uint64_t SpillStoreBytes = 0; ///< A thread, as ptxas reports them.
  uint64_t SpillLoadBytes = 0;
};

/// Assembles \p Jobs into \p CubinPath in one run of ptxas; where that fails, or
/// visible variables of the jobs have the same name and differ, each by itself into a file of its own beside
/// it, so that one bad variant costs only itself. One result a job, with the errors of runPtxas. The symbols
/// of a job end in its number.
std::vector<llvm::Expected<AssembledKernel>> assemble(const Toolchain &Tools, const DeviceInfo &Device,
                                                      llvm::ArrayRef<AssemblyJob> Jobs,
                                                      const std::string &CubinPath);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_ASSEMBLER_H
