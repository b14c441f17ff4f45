//===- RefusalKind.h - Why a transformation or a launch is refused --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_REFUSALKIND_H
#define GPUPRUNE_SUPPORT_REFUSALKIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuprune {

/// Every reason for a refusal, in the order of Refusals.def.
enum class RefusalKind : uint8_t {
#define GPUPRUNE_REFUSAL(NAME, WRONG) NAME,
#include "gpuprune/Support/Refusals.def"
};

/// The enumerator's name, "MayBeWritten". It is a literal: its address tells it from every other
/// string of the same characters.
llvm::StringRef refusalName(RefusalKind Kind);
std::optional<RefusalKind> parseRefusalKind(llvm::StringRef Name);

/// What would go wrong without the refusal.
llvm::StringRef whyRefused(RefusalKind Kind);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_REFUSALKIND_H
