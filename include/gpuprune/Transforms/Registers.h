//===- Registers.h - gpu-registers: what ptxas may use for a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// max=R       writes .maxnreg R (PTX ISA, performance-tuning directives): ptxas
//             uses at most R registers a thread and spills the rest.
// min-blocks=B writes .minnctapersm B: ptxas limits registers so that B thread
//             blocks fit an SM. It has a meaning only beside a bound on the
//             threads of a block, which __launch_bounds__ or threads= gives.
// threads=X[xY[xZ]] writes .reqntid with the block that the author launches divided
//             by what has been coarsened: ptxas knows the block exactly, and a
//             launch of another one fails. threads=launch is that of the workload.
//
// The others need the code that ptxas will get, so they are noted on the kernel and
// done after the -O3 pipeline (PlaceValues.h):
//
// spill=N;spill-to=shared|local, remat, sink, hoist
//             shorten the lives of values where registers are shortest.
// smem-spilling lets ptxas spill to shared memory (.pragma "enable_smem_spilling").
//
// Refused:
//   MissingThreadBound  min-blocks on a kernel without __launch_bounds__ or threads=;
//                       threads=launch where nobody knows the launch.
//   BadLaunchContract   threads= is not divisible by what has been coarsened.
//   NoSharedSpilling    smem-spilling below compute capability 7.5.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_REGISTERS_H
#define GPUPRUNE_TRANSFORMS_REGISTERS_H

#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <optional>
#include <string>

namespace gpuprune {

struct RegistersOptions : TabledOptions<RegistersOptions> {
  enum class Place { Shared, Local };

  unsigned Max = 0;            ///< Registers a thread; 0: no cap.
  unsigned MinBlocks = 0;      ///< Thread blocks an SM; 0: not asked for.
  std::optional<Dim3> Threads; ///< The author's block.
  bool ThreadsOfLaunch = false;
  unsigned Spill = 0;           ///< 32-bit words a thread at most.
  std::optional<Place> SpillTo; ///< Shared where none is given.
  bool Rematerialise = false, Sink = false, Hoist = false;
  bool SharedSpilling = false;
  std::string Kernel; ///< Empty: every kernel of the module.

  Place placeOfSpills() const { return SpillTo.value_or(Place::Shared); }
  /// Whether anything is left to do after the -O3 pipeline.
  bool placesValues() const { return Spill || Rematerialise || Sink || Hoist || SharedSpilling; }
  static const OptionTable<RegistersOptions> &table();
};

class RegistersPass : public PassWithOptions<RegistersPass, RegistersOptions> {
public:
  static constexpr const char *PassName = "gpu-registers";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// Some caps.
PassOffers offerRegisterCaps();

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_REGISTERS_H
