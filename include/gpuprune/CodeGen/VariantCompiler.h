//===- VariantCompiler.h - Bitcode to PTX, one variant at a time ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same passes at the same extension point, the same -O3 pipeline, the same
// code generator options as clang++ -O3 -fpass-plugin=libGpuPrune.so: the PTX is
// the same byte by byte, which a test holds on to.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_VARIANTCOMPILER_H
#define GPUPRUNE_CODEGEN_VARIANTCOMPILER_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "gpuprune/CodeGen/BlockShapes.h"
#include "gpuprune/CodeGen/CompileReuse.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// Registers the NVPTX back end and sets LLVM's options as clang's driver sets
/// them for CUDA. Called once, before other threads are started.
void initializeCodeGen();

/// Counts the blocks of a kernel by running it, at the end of the IR pipeline;
/// the launch is that of the launch contract. See HostExecution/BlockCounts.h.
using BlockCounter = std::function<llvm::Expected<BlockFrequencies>(const llvm::Function &Kernel,
                                                                    const LaunchContext &Launch)>;

struct VariantRequest {
  llvm::StringRef Bitcode;
  std::string Pipeline; ///< Passes after gpu-prepare; may be empty.
  /// Stock clang: neither gpu-prepare nor Pipeline.
  bool Stock = false;
  /// As fusesMultiplyAdds (Toolchain.h) says of the front end's flags.
  bool FuseMultiplyAdds = true;
  /// The kernel whose launch is known, by symbol or source name; empty: none.
  std::string Kernel;
  /// That launch as the author makes it, before any launch contract.
  LaunchContext Launch;
  /// Asked where the launch alone does not decide what Kernel's threads execute;
  /// without it, or where it fails, that is estimated.
  BlockCounter CountByRunning = {};
  bool CollectLoops = false;                  ///< Fill VariantKernel::Loops.
  std::optional<OfferContext> OffersFor = {}; ///< Fill VariantKernel::Offers, of Kernel once it is prepared.
  bool CollectFreedom = false;                ///< Fill VariantKernel::Freedom, of the prepared kernel.
  bool KeepIR = false;                        ///< Fill VariantCode::IR.
  bool KeepFinalBitcode = false;              ///< Fill VariantCode::FinalBitcode.
  /// Whether a variant that becomes larger than the instruction cache is not compiled, where replication made
  /// it so: over twice what the front end made.
  bool LimitsCode = false;
  /// Variables, by symbol, that the host fills before a launch. The PTX has them under these names for the
  /// host, also where only the file knows them.
  std::vector<std::string> Filled = {};
};

/// A loop of a kernel as gpu-prepare left it.
struct KernelLoop {
  unsigned Number = 0;
  unsigned Depth = 1;
  unsigned Line = 0; ///< 0 where unknown.
  double TripCount = 0;
  InstrSource Source = InstrSource::Estimated; ///< Of the trip count.
};

/// What a space for a kernel can be derived from.
struct KernelOffers {
  std::vector<PassOffers> OfPasses = {}; ///< Of those that offer something, in the order of the registry.
  bool HasRaggedLoops = false;           ///< As hasRaggedLoops (RaggedLoops.h) says.
  bool SharesReads = false; ///< Results of several blocks share what is read, in shared arrays or in loops.
};

struct VariantKernel {
  LaunchContract Contract;
  /// Of the blocks that the code is compiled for, which every launch has to have; not of stock clang's.
  std::optional<LaunchBound> Bound;
  KernelCounts Counts;
  uint64_t SharedBytes = 0; ///< Static, at IR level.
  std::vector<KernelLoop> Loops;
  std::vector<std::string> Placed;         ///< As placedValues (PlaceValues.h) says.
  FloatingPointFreedom Freedom;            ///< After gpu-prepare.
  std::vector<std::string> TimeDependence; ///< After gpu-prepare, as timeDependence() says.
  KernelOffers Offers = {};
  /// For each choice of defines, where the launch follows the block. Of VariantBuilder::inspect() alone.
  std::vector<ShapesOfDefines> BlockShapes = {};

  /// How it is launched on a device of \p Multiprocessors where its author launches \p Author. Refused where
  /// Contract does not divide that, or the block is none that Bound allows.
  llvm::Expected<PhysicalLaunch> launchFor(const AuthorLaunch &Author, int64_t Multiprocessors) const;
  /// Whether it can be launched on any device where its author launches \p Author; else launchFor()'s error.
  llvm::Error checkLaunch(const AuthorLaunch &Author) const { return launchFor(Author, 1).takeError(); }
};

struct VariantCode {
  std::string Ptx;
  std::string IR; ///< After gpu-prepare and the pipeline, before -O3, as text.
  /// What the PTX code generator is given: after -O3, to run on the CPU.
  llvm::SmallString<0> FinalBitcode;
  std::map<std::string, VariantKernel> Kernels; ///< By symbol.
  std::string Symbol; ///< Of the kernel the request names; empty where that is none or several.
};

/// Compiles one variant in a context of its own; safe on many threads at once.
/// Errors: Refused (a pass refused, or the grid is not divisible by the launch
/// contract), Resources (no device holds a block, or LimitsCode), Input (bad pipeline text), CodeGen. \p
/// Known, where there is one, spares what an earlier compile of the same kernel has done already.
llvm::Expected<VariantCode> compileVariant(const VariantRequest &Request, CompileReuse *Known = nullptr);

/// A variant after -O3.
struct OptimizedVariant {
  llvm::SmallString<0> Bitcode;
  LaunchContract Contract; ///< Of the kernel that the request names.
};

/// What compileVariant() gives to the code generator, for a compile that has its own. Errors: as there, and
/// Input where the request does not name exactly one kernel.
llvm::Expected<OptimizedVariant> optimizeVariant(const VariantRequest &Request);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_VARIANTCOMPILER_H
