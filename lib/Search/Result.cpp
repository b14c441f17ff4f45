//===- Result.cpp - All that is known about one variant -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Result.h"
#include "gpuprune/Support/EnumNames.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<VariantStatus> StatusRows[] = {
#define GPUPRUNE_VARIANT_STATUS(Enumerator, Name) {VariantStatus::Enumerator, Name},
#include "gpuprune/Search/VariantStatus.def"
};
static constexpr EnumNames<VariantStatus> StatusNames{StatusRows};

StringRef variantStatusName(VariantStatus Status) { return StatusNames.nameOf(Status); }

std::optional<VariantStatus> parseVariantStatus(StringRef Name) { return StatusNames.find(Name); }

static constexpr EnumName<TwinKind> TwinKindRows[] = {{TwinKind::Ptx, "ptx"},
                                                      {TwinKind::MachineCode, "machine-code"}};
static constexpr EnumNames<TwinKind> TwinKindNames{TwinKindRows};

StringRef twinKindName(TwinKind Kind) { return TwinKindNames.nameOf(Kind); }

std::optional<TwinKind> parseTwinKind(StringRef Name) { return TwinKindNames.find(Name); }

} // namespace gpuprune
