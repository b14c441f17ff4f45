//===- MeasurePlan.h - What the runner is asked to check and time -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_MEASUREPLAN_H
#define GPUPRUNE_DRIVER_MEASUREPLAN_H

#include "gpuprune/Driver/EarlierLaunches.h"
#include "gpuprune/Driver/VariantBuilder.h"
#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

struct MeasureOptions {
  unsigned Warmup = 2;
  unsigned Samples = 7;
  double MinSampleMs = 1; ///< A sample of a shorter kernel repeats it.
  bool FlushL2 = false;
  unsigned Rotate = 1;                ///< Copies of the buffers; 0: automatic.
  std::optional<double> Watchdog = 5; ///< How many times the fastest a run may take.
  /// How many times the fastest a run takes of which few samples suffice.
  double ClearlySlower = 1.25;
  unsigned Rounds = 21; ///< Of the final; 0: no final.
};

/// The programs that jobs compare a variant with; all have code.
struct MeasureContext {
  const Workload &W;
  const VariantBuilder &Builder;
  const BuiltVariant &Stock;     ///< The author's kernel by stock clang, timed in turn with each variant.
  const BuiltVariant &Reference; ///< The prepared kernel with the variant's own defines.
  const BuiltVariant &Author;    ///< The prepared kernel with the author's defines: its launch is the truth.
  /// Stock clang's code with the variant's own defines, where their result is one of their own; else null.
  const BuiltVariant *OwnStock;
  MeasureOptions Options;
  /// What runs before, of which there is as much as the workload has; null where it has nothing.
  const EarlierLaunches *Earlier = nullptr;
};

/// \p Launch by \p V, whose launch contract makes it \p Physical. The cubin is named by file name.
protocol::Launch toLaunch(const BuiltVariant &V, const ResolvedLaunch &Launch, PhysicalLaunch Physical);

/// The sizes to check, that to tune last, each once.
std::vector<Environment> distinctSizes(const Workload &W);

/// The job that checks \p V at every size whose grid its launch contract divides, the size to tune
/// among them, and then times it. \p V is held against the reference, the reference at the same launch
/// against the author's launch (bit by bit but for open buffers), and the author's launch, or a reference
/// with a result of its own, against stock clang's kernel by the workload's tolerance. Cubins are named by
/// file name.
llvm::Expected<protocol::Job> makeJob(const BuiltVariant &V, std::string Id, const MeasureContext &Context);

/// Refused (TooLarge) where a buffer of \p Problem does not fit the variable that \p Contract
/// has it copied to.
llvm::Error checkConstantCopies(const LaunchContract &Contract, const ResolvedProblem &Problem);

/// Refused (BadLaunchContract) where \p Problem passes as a pointer a number that is no multiple of what
/// \p Contract promises. \p Bitcode is the front end's. Buffers have their addresses when launched.
llvm::Error checkPointers(const LaunchContract &Contract, const ResolvedProblem &Problem,
                          llvm::StringRef Bitcode);

/// The buffers of \p Problem as the runner is told of them, for whoever fills
/// buffers as the runner does (fillBuffer).
std::vector<protocol::Buffer> protocolBuffers(const ResolvedProblem &Problem);

/// Writes the files that \p W takes contents from to \p Folder, where jobs name them, and their cubins.
llvm::Error writeContentsFiles(const Workload &W, llvm::StringRef Folder);

/// "n=4096,m=64", in the order of the workload.
std::string sizeName(const Workload &W, const Environment &Sizes);

/// Writes what the runner said into \p Row.
void applyResult(const protocol::Result &Result, VariantResult &Row);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MEASUREPLAN_H
