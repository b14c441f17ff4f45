//===- Registry.h - Pass names, pipelines and where they run ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_PASSES_REGISTRY_H
#define GPUPRUNE_PASSES_REGISTRY_H

#include "gpuprune/Transforms/PassDescription.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace gpuprune {

struct PassDescriptor;

/// The passes of GpuPrunePasses.def, in its order.
llvm::ArrayRef<const PassDescriptor *> passDescriptors();

/// The same for those who know no IR.
std::vector<const PassDescription *> passDescriptions();

/// The pass of that name; null for one that is not ours.
const PassDescription *findPass(llvm::StringRef Name);

/// Makes the passes of GpuPrunePasses.def known to \p PB, so that pipeline text
/// can name them.
void registerPasses(llvm::PassBuilder &PB);

/// Makes registerPasses call \p Register as well, for passes out of a plugin. Only
/// before the first use of the registry.
void addPasses(std::function<void(llvm::PassBuilder &)> Register);

/// Whether \p Pipeline is text that names known passes with legal options; an
/// Input error that says what is wrong otherwise.
llvm::Error checkPipeline(llvm::StringRef Pipeline);

/// Whether the host has to launch another geometry after \p Pipeline.
llvm::Expected<bool> changesGeometry(llvm::StringRef Pipeline);

/// Whether what becomes of a kernel under \p Pipeline may depend on others of its file: it moves a variable
/// for all of them, or has passes of LLVM, which may do anything.
llvm::Expected<bool> looksAtOtherKernels(llvm::StringRef Pipeline);

/// Schedules gpu-prepare and \p Pipeline where clang++ and opt run them as well:
/// at the extension point "pipeline early simplification" of the default
/// pipeline; at its start, kernels are isolated (IsolateKernels.h); at its end, products are sealed
/// (PinContraction.h) and values placed (PlaceValues.h). Every compile that makes a variant goes through
/// here. Host modules are left alone.
void schedulePipeline(llvm::PassBuilder &PB, llvm::StringRef Pipeline);

} // namespace gpuprune

#endif // GPUPRUNE_PASSES_REGISTRY_H
