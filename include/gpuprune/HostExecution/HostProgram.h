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

#include "gpuprune/HostExecution/HostLaunch.h"
#include "gpuprune/Launch/LaunchContract.h"

namespace llvm {
class Module;
}

namespace gpuprune {

struct HostOptions {
  /// Kernels to compile, by symbol or source name; empty: all of the module.
  std::vector<std::string> Kernels;
  /// Count how often loops go round, for HostLaunch::StepLimit. Costs some speed.
  bool CountSteps = false;
  /// Show every access to memory to HostLaunch::Trace, and check it: exact bounds,
  /// alignment, reads of shared memory and of buffers marked unwritten before
  /// anything is written there. Vector accesses are those of the PTX, as far as the
  /// back end's vectoriser finds them (initializeCodeGen() must have been called).
  /// Many times slower.
  bool WatchMemory = false;
  /// With WatchMemory: show every conditional branch to HostLaunch::Trace, too.
  bool WatchBranches = false;
  /// Compile two to four times as long for code that runs up to 2.5 times as fast;
  /// for large launches.
  bool FastCode = false;
  /// Bytes of stack that a thread needs beyond one frame of each function: for
  /// recursion.
  uint64_t StackBytes = 0;
};

/// A kernel as a launch has to know it.
struct HostKernel {
  std::string Symbol;
  std::vector<uint64_t> ParameterBytes;
  uint64_t StaticShared = 0; ///< Bytes, a multiple of 16.
  /// Threads wait for each other: at barriers, in warp operations.
  bool ThreadsMeet = false;
  LaunchContract Contract = {};
  std::vector<unsigned> Pointers = {}; ///< The parameters that are pointers, from 0.
};

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
  /// Gives all variables their initial values again.
  void resetVariables();

  /// Runs a launch to its end. Before it, buffers are copied to variables as the kernel's
  /// launch contract says, where the argument is not null. What the kernel does wrong is in the report;
  /// errors are of the launch itself: Input (no such kernel, wrong arguments,
  /// empty or impossible geometry), Refused (a buffer is too large for its
  /// variable, or does not begin where the launch contract promises), Resources (no memory for stacks).
  llvm::Expected<LaunchReport> launch(const HostLaunch &Launch) const;

private:
  struct Implementation;
  explicit HostProgram(std::unique_ptr<Implementation> Impl);
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_HOSTPROGRAM_H
