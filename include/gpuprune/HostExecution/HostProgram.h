//===- HostProgram.h - Device code compiled for the CPU ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the IR of a kernel exactly as it goes to the PTX code generator, gives it
// the machine this runs on as its target, and runs it: a fiber a CUDA thread, a
// block at a time on each core.
//
// Floating point. Operations are IEEE operations, rounded one by one: nothing is
// contracted, reassociated or otherwise changed by the host's compiler, which
// sees no fast-math flags at all. llvm.fma, and llvm.fmuladd as NVPTX takes it,
// have one rounding; nvvm.mul.rn is a product of its own. So what agrees with the
// GPU bit by bit is code whose contraction is pinned (gpu-prepare); where an
// operation still carries the flag "contract", ptxas and NVPTX may fuse what is
// not fused here. "afn" and "arcp" are treated likewise: divisions and square
// roots are rounded correctly here and within 2 ulp on the GPU. "nnan" and "ninf"
// promise what is not relied on. A function whose "denormal-fp-math-f32" is
// preserve-sign flushes float denormals at each operation, as .ftz does. Bits of
// a NaN are the host's, and so is what IR leaves undefined (a shift by more than
// the width); conversions from float to integer clamp as cvt does.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_HOSTPROGRAM_H
#define GPUPRUNE_HOSTEXECUTION_HOSTPROGRAM_H

#include "gpuprune/HostExecution/HostKernel.h"
#include "gpuprune/HostExecution/HostLaunch.h"

namespace llvm {
class Module;
}

namespace gpuprune {

/// Compiled device code. Launches on different threads at once are safe as far
/// as the kernels' own data is.
class HostProgram {
public:
  /// Compiles device bitcode, or \p M, which is rewritten and of no further use.
  /// Errors: Input (no device code, no such kernel), Refused (something that
  /// cannot run on the CPU: the message names the intrinsic, the inline PTX or the
  /// function, and the source line), Toolchain (no compiler for this machine).
  static llvm::Expected<std::unique_ptr<HostProgram>> create(llvm::StringRef Bitcode,
                                                             const HostOptions &Options = {});
  static llvm::Expected<std::unique_ptr<HostProgram>> create(llvm::Module &M,
                                                             const HostOptions &Options = {});
  ~HostProgram();

  /// By symbol or source name; null where there is none or several.
  const HostKernel *kernel(llvm::StringRef Name) const;
  llvm::ArrayRef<HostKernel> kernels() const;

  /// Made with HostOptions::WatchMemory.
  bool watchesMemory() const;
  /// What MemoryAccess::Site counts, where memory is watched.
  llvm::ArrayRef<AccessSite> sites() const;

  /// A __device__ or __constant__ variable by its symbol, to be read and written
  /// between launches; null where there is none.
  const GuardedBuffer *variable(llvm::StringRef Symbol) const;
  /// The variable that \p Address is in or nearest to, as GuardedMemory has it.
  std::optional<BufferPlace> findVariable(uint64_t Address) const;
  /// Gives all variables their initial values again.
  void resetVariables();

  /// Runs a launch to its end. Before it, buffers are copied to variables as PhysicalLaunch::ConstantCopies
  /// says, where the argument is not null. What the kernel does wrong is in the report;
  /// errors are of the launch itself: Input (no such kernel, wrong arguments,
  /// empty or impossible geometry), Refused (a buffer is too large for its
  /// variable, or does not begin where PhysicalLaunch::PointerAlignment promises), Resources (no memory for
  /// stacks).
  llvm::Expected<LaunchReport> launch(const HostLaunch &Launch) const;

private:
  struct Implementation;
  explicit HostProgram(std::unique_ptr<Implementation> Impl);
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_HOSTPROGRAM_H
