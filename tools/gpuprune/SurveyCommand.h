//===- SurveyCommand.h - gpuprune survey ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_SURVEYCOMMAND_H
#define GPUPRUNE_TOOLS_GPUPRUNE_SURVEYCOMMAND_H

#include "gpuprune/Driver/Survey.h"

namespace gpuprune {

/// gpuprune survey: the result goes to \p Write, before problemsOf() it are returned.
llvm::Error runSurvey(const SurveyOptions &Options, Progress &Shown,
                      llvm::function_ref<llvm::Error(const Survey &)> Write);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_SURVEYCOMMAND_H
