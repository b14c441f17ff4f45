//===- Programs.h - A kernel tree compiled ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_PROGRAMS_H
#define GPUPRUNE_TEST_DIFFERENTIAL_PROGRAMS_H

#include "KernelTree.h"
#include "PipelineGenerator.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "llvm/ADT/StableHashing.h"

namespace gpuprune::differential {

/// A mistake put into the device code of a transformed kernel on purpose, to see
/// that it is found.
enum class Mistake { None, LostBarrier, WrongOperation, WrongIndex };

/// Of the device that launches are for: few, so that the blocks of a persistent kernel have much to do.
inline constexpr int64_t Multiprocessors = 1;

/// Seconds a launch may take.
inline constexpr double LongestLaunch = 3;

AuthorLaunch authorLaunch(const KernelTree &Kernel);

/// Bitcode as from clang's front end.
llvm::SmallString<0> sourceOf(const KernelTree &Kernel);

/// \p Source, that of \p Kernel, as gpu-prepare and \p Passes make it.
llvm::Expected<VariantCode> compile(llvm::StringRef Source, const KernelTree &Kernel, const Pipeline &Passes);

/// The same for the same instructions: attributes and metadata transform nothing.
llvm::stable_hash structureOf(llvm::StringRef Bitcode);

/// \p Bitcode with \p Made in the first place where it fits.
llvm::SmallString<0> withMistake(llvm::StringRef Bitcode, Mistake Made);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_PROGRAMS_H
