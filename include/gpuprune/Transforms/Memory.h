//===- Memory.h - gpu-memory: which memory an argument or symbol is read from ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu-memory<arg=N;space=readonly>: what is read through parameter N (from 0) is
// read as read-only (ld.global.nc), where no thread can write it while the kernel
// runs. Before:  v = a[i];      After:  v = __ldg(&a[i]);
//
// gpu-memory<arg=N;space=constant;bytes=B>: what is read through parameter N is read
// from a new __constant__ variable of B bytes, to which the launch contract
// (LaunchContract.h) has the buffer copied before each launch.
// Before:  k(const float *t)  v = t[i];
// After:   __constant__ char __gpuprune_constant_k_0[B];   v = ((float *)__gpuprune_constant_k_0)[i];
//
// gpu-memory<symbol=NAME;space=readonly>: the __constant__ variable NAME becomes a
// variable of global memory that is read as read-only. A table larger than the
// constant cache, or read at other places by each thread of a warp, is faster there.
// Before:  __constant__ float4 t[4000];   After:  __device__ const float4 t[4000];
//
// gpu-memory<symbol=NAME;space=shared>: the same, and the kernel reads a copy in shared
// memory. All threads of a block fill it when the kernel begins, and wait for each other.
// After a coarsening there is one for all replicas.
// After:   __shared__ float4 tile[1000];   for (i = thread; i < 1000; i += threads) tile[i] = t[i];
//          __syncthreads();   v = tile[j];
//
// gpu-memory<carveout=P>: the launch contract asks for P per cent of the memory that an SM divides
// between L1 cache and shared memory as shared memory. The code stays as it is; what a block needs
// it gets in any case (CUDA C++ programming guide, "Configurable shared memory capacity").
//
// Why it is right. arg: LoadHazards.h; for constant memory nothing else is done with the
// pointer, so nobody can tell where it points. symbol: no kernel can write a __constant__
// variable, and the host must not while one runs, so all its loads are invariant.
// The variable keeps its name, size and initial value, and the host fills it as before
// (cudaMemcpyToSymbol, cuModuleGetGlobal); all kernels of the module read it there.
// All threads of a block come to the kernel's beginning, so a barrier there waits for all.
//
// Refused: NoSuchArgument, NothingRead, Volatile, MayBeWritten, Synchronisation;
//   with constant PointerEscapes, MixedSymbols, TooLarge, BadLaunchContract, too;
//   with shared NothingRead, TooLarge, too;
//   NoSuchSymbol, NotConstantMemory, DeclaredElsewhere, PointerEscapes, MixedSymbols;
//   NoSuchKernel. docs/passes/gpu-memory.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_MEMORY_H
#define GPUPRUNE_TRANSFORMS_MEMORY_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <optional>
#include <string>

namespace gpuprune {

enum class Placement : uint8_t { ReadOnly, Constant, Shared };

struct MemoryOptions : TabledOptions<MemoryOptions> {
  std::optional<unsigned> Arg;    ///< Number of the parameter, from 0; else Symbol is set.
  std::string Symbol;             ///< Its name in the PTX.
  std::optional<Placement> Space; ///< Set unless Carveout is.
  uint64_t Bytes = 0;             ///< Of the constant memory; 0 where Space is another.
  /// Per cent of the memory of L1 and shared that is preferred as shared; nothing is placed then.
  std::optional<unsigned> Carveout;
  std::string Kernel; ///< Empty: every kernel of the module.

  static const OptionTable<MemoryOptions> &table();
};

class MemoryPass : public PassWithOptions<MemoryPass, MemoryOptions> {
public:
  static constexpr const char *PassName = "gpu-memory";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// The parameters of the prepared kernel \p F, from 0, that gpu-memory<space=constant> takes
/// and through which all threads of a warp read the same place, as a constant cache serves best.
llvm::SmallVector<unsigned, 4> uniformTables(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// A buffer that all threads of a warp read at one place, and nobody writes.
struct UniformTable {
  unsigned Argument = 0; ///< From 0.
  uint64_t Bytes = 0;    ///< At the size to tune.
};

/// Read-only memory for the __constant__ variables \p Large, which hold more than a constant cache, all in
/// the same; constant memory for \p Uniform, which it holds all together.
PassOffers offerPlacement(llvm::ArrayRef<std::string> Large, llvm::ArrayRef<UniformTable> Uniform);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_MEMORY_H
