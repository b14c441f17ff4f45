//===- HostLowering.h - From device IR to IR of this machine -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_HOSTLOWERING_H
#define GPUPRUNE_LIB_HOSTEXECUTION_HOSTLOWERING_H

#include "Engine/ThreadAccess.h"
#include "gpuprune/HostExecution/HostKernel.h"
#include "gpuprune/HostExecution/MemoryAccess.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuprune {

/// A __device__ or __constant__ variable, to which the program gives memory.
struct LoweredVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
  std::string Initial; ///< Symbol of the initial value; empty: all bytes are 0.
};

struct LoweredModule {
  std::vector<HostKernel> Kernels;
  std::vector<std::string> Entries; ///< Symbol of the function that runs a thread, one a kernel.
  std::vector<LoweredVariable> Variables;
  std::vector<AccessSite> Sites;
};

/// Rewrites \p M so that the code generator of \p TM takes it. Errors as those of
/// HostProgram::create.
llvm::Expected<LoweredModule> lowerForHost(llvm::Module &M, const llvm::TargetMachine &TM,
                                           const HostOptions &Options);

// Its steps, in order.

/// Merges neighbouring accesses into those of vectors, as the PTX code generator
/// does; nothing where LLVM has no NVPTX back end, or it is not initialised.
void mergeAccesses(llvm::Module &M);
/// Lets the other threads of a block run from time to time in loops that one of
/// them may have to end.
void insertYields(llvm::Module &M, ThreadAccess &Threads);
/// Counts the times that loops go round.
void insertStepCounters(llvm::Module &M, ThreadAccess &Threads);
/// Replaces what only the GPU has: llvm.nvvm intrinsics and inline PTX.
llvm::Error lowerIntrinsics(llvm::Module &M, ThreadAccess &Threads);
/// Shows conditional branches to the runtime, and adds what they are to \p Sites.
void insertBranchWatch(llvm::Module &M, ThreadAccess &Threads, std::vector<AccessSite> &Sites);
/// Shows accesses to memory to the runtime, and adds what they are to \p Sites; the
/// number of a site is its place there.
void insertMemoryWatch(llvm::Module &M, ThreadAccess &Threads, std::vector<AccessSite> &Sites);
/// Makes floating-point operations those of the host, without fast-math.
llvm::Error lowerFloatingPoint(llvm::Module &M, ThreadAccess &Threads);
/// Puts shared variables into the block's shared memory, and tells each of
/// \p Described, kernels in the order of \p Kernels, how much it needs.
llvm::Error lowerSharedVariables(llvm::Module &M, ThreadAccess &Threads,
                                 llvm::ArrayRef<llvm::Function *> Kernels,
                                 llvm::MutableArrayRef<HostKernel> Described);
/// Makes writable and exported variables external.
llvm::Expected<std::vector<LoweredVariable>> lowerDeviceVariables(llvm::Module &M);
/// Makes the function that loads a kernel's arguments and calls it; its symbol.
std::string createEntry(llvm::Function &Kernel);
/// Refuses what is declared and defined nowhere.
llvm::Error checkExternals(const llvm::Module &M, llvm::ArrayRef<LoweredVariable> Variables);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_HOSTLOWERING_H
