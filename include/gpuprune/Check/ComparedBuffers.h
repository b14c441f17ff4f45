//===- ComparedBuffers.h - Whether a sequence changes what is compared -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole sequence is compared at its end. If none of its launches changes a buffer
// that is compared then, because a last swap or a role is wrong, everything is right.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_COMPAREDBUFFERS_H
#define GPUPRUNE_CHECK_COMPAREDBUFFERS_H

#include "gpuprune/Check/EarlierLaunches.h"
#include <set>

namespace gpuprune {

/// The launches, by index of Workload::Launches, that change a buffer.
using ChangingLaunches = std::set<unsigned>;

/// Whether the buffer is compared at the end of the whole.
bool isComparedAtEnd(const ResolvedBuffer &Buffer);

/// What is wrong with a sequence that changes \p By, one a buffer of \p Problem, and no more; empty where
/// that has a buffer that is compared.
std::string nothingCompared(const ResolvedProblem &Problem, llvm::ArrayRef<ChangingLaunches> By);

/// Runs \p Launches, all of the sequence \p Whole, on the CPU as their author wrote them. Input error where
/// they change no buffer that is compared at the end, at none of the sizes to check. Success, too, where the
/// CPU cannot tell: where a launch is wrong, or cannot run there, it is for the check of that launch to say.
llvm::Error checkComparedChange(const Workload &Whole, llvm::ArrayRef<std::unique_ptr<BuiltLaunch>> Launches);

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_COMPAREDBUFFERS_H
