//===- RefusalKind.cpp - Why a transformation or a launch is refused ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/RefusalKind.h"
#include "gpuprune/Support/EnumNames.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<RefusalKind> NameRows[] = {
#define GPUPRUNE_REFUSAL(NAME, WRONG) {RefusalKind::NAME, #NAME},
#include "gpuprune/Support/Refusals.def"
};
static constexpr EnumNames<RefusalKind> Names{NameRows};

StringRef refusalName(RefusalKind Kind) { return Names.nameOf(Kind); }

std::optional<RefusalKind> parseRefusalKind(StringRef Name) { return Names.find(Name); }

StringRef whyRefused(RefusalKind Kind) {
  switch (Kind) {
#define GPUPRUNE_REFUSAL(NAME, WRONG)                                                                        \
  case RefusalKind::NAME:                                                                                    \
    return WRONG;
#include "gpuprune/Support/Refusals.def"
  }
  return "";
}

} // namespace gpuprune
