//===- LaunchCheck.h - Whether launches fit kernel and device ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What would fault or be refused on the GPU is said before anything is run, with
// the place in the workload file.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_LAUNCHCHECK_H
#define GPUPRUNE_VARIANT_LAUNCHCHECK_H

#include "gpuprune/CodeGen/DeviceVariables.h"
#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Workload/Problem.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// Input error where \p Device cannot launch the author's grid, block and dynamic
/// shared memory, at any of the workload's sizes.
llvm::Error checkLaunchFitsDevice(const Workload &W, const DeviceInfo &Device);

/// The check sizes that cannot be launched with \p Defines, the others as the author has them. None
/// where the size to tune cannot be launched either: then nothing is made of that choice.
std::vector<SkippedSize> skippedSizes(const Workload &W, llvm::ArrayRef<DefineSetting> Defines);

/// Input error where the arguments of \p Launch are not those of a kernel with \p
/// Parameters, in number, kind or size.
llvm::Error checkArguments(const Workload &W, const LaunchSpec &Launch,
                           llvm::ArrayRef<KernelParameter> Parameters);

/// Whether each buffer that is copied to a variable finds it in the source, large enough. Input error at the
/// place in the workload.
llvm::Error checkSymbols(const Workload &W, llvm::ArrayRef<DeviceVariable> Variables);

/// Refused where \p Launch, of \p Problem, passes a buffer as \p Contract cannot have it: TooLarge where
/// it does not fit the variable that it is copied to, NoSuchArgument where only a part of it is passed there,
/// BadLaunchContract where an offset is no multiple of what pointers have to be, or where \p Problem gives
/// contents to a variable that has to hold its initial value. All that launches a variant asks this.
llvm::Error checkBufferArguments(const LaunchContract &Contract, const ResolvedProblem &Problem,
                                 const ResolvedLaunch &Launch);
/// The same of the tuned launch.
llvm::Error checkBufferArguments(const LaunchContract &Contract, const ResolvedProblem &Problem);

/// Refused where the tuned launch is repeated and \p Kernel does not fit one of its iterations at the size
/// to tune: one variant is launched in all of them.
llvm::Error checkEachIteration(const Workload &W, const DefineValues &Defines, std::optional<Dim3> Block,
                               const VariantKernel &Kernel);

/// Refused (BadLaunchContract) where the author's launch at a size to check has a block that \p Bound, the
/// author's, does not allow: such a size is no variant's to leave out.
llvm::Error checkBoundAtEachSize(const Workload &W, const DefineValues &Defines, std::optional<Dim3> Block,
                                 const LaunchBound &Bound);

/// Refused (BadLaunchContract) where \p Problem passes as a pointer a number that is no multiple of what
/// \p Contract promises. \p Bitcode is the front end's. Buffers have their addresses when launched.
llvm::Error checkPointers(const LaunchContract &Contract, const ResolvedProblem &Problem,
                          llvm::StringRef Bitcode);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_LAUNCHCHECK_H
