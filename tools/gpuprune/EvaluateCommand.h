//===- EvaluateCommand.h - gpuprune evaluate -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_EVALUATECOMMAND_H
#define GPUPRUNE_TOOLS_GPUPRUNE_EVALUATECOMMAND_H

#include "gpuprune/Driver/Tuner.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuprune {

/// gpuprune evaluate: the tables go to \p OS, page and figures into the folder of --page. With --measure, the
/// spaces are measured first, as \p Tuning says. Usage error for a \p Paper other than "liang" and "ryoo".
llvm::Error runEvaluate(llvm::StringRef Paper, llvm::function_ref<llvm::Expected<TuneOptions>()> Tuning,
                        Progress &Shown, llvm::raw_ostream &OS);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_EVALUATECOMMAND_H
