//===- SurveyCommand.cpp - gpuprune survey --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SurveyCommand.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

Error runSurvey(const SurveyOptions &Options, Progress &Shown, function_ref<Error(const Survey &)> Write) {
  Expected<Survey> Found = survey(Options, Shown);
  if (!Found)
    return Found.takeError();
  if (Error E = Write(*Found))
    return E;
  return problemsOf(*Found);
}

} // namespace gpuprune
