//===- Result.cpp - All that is known about one variant -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Result.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace llvm;

namespace gpuprune {

static constexpr StringRef StatusNames[] = {
#define GPUPRUNE_VARIANT_STATUS(Enumerator, Name) Name,
#include "gpuprune/Search/VariantStatus.def"
};

static constexpr StringRef CheckNames[] = {"skipped", "bitwise", "tolerance", "wrong"};

/// The enumerator whose name stands at the same index of \p Names.
template <typename Enum, size_t N>
static std::optional<Enum> enumeratorOf(const StringRef (&Names)[N], StringRef Name) {
  const StringRef *Found = find(Names, Name);
  if (Found == std::end(Names))
    return std::nullopt;
  return static_cast<Enum>(Found - Names);
}

StringRef variantStatusName(VariantStatus Status) { return StatusNames[static_cast<unsigned>(Status)]; }

std::optional<VariantStatus> parseVariantStatus(StringRef Name) {
  return enumeratorOf<VariantStatus>(StatusNames, Name);
}

StringRef checkResultName(CheckResult Check) { return CheckNames[static_cast<unsigned>(Check)]; }

std::optional<CheckResult> parseCheckResult(StringRef Name) {
  return enumeratorOf<CheckResult>(CheckNames, Name);
}

} // namespace gpuprune
