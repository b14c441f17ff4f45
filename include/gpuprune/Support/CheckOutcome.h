//===- CheckOutcome.h - How outputs agreed with the reference's -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_CHECKOUTCOME_H
#define GPUPRUNE_SUPPORT_CHECKOUTCOME_H

#include "gpuprune/Support/EnumNames.h"
#include <cstdint>

namespace gpuprune {

/// From the best to the worst, but for Skipped.
enum class CheckOutcome : uint8_t { Skipped, Bitwise, Tolerance, Wrong };

inline constexpr EnumName<CheckOutcome> CheckOutcomeRows[] = {{CheckOutcome::Skipped, "skipped"},
                                                              {CheckOutcome::Bitwise, "bitwise"},
                                                              {CheckOutcome::Tolerance, "tolerance"},
                                                              {CheckOutcome::Wrong, "wrong"}};
inline constexpr EnumNames<CheckOutcome> CheckOutcomeNames{CheckOutcomeRows};

inline llvm::StringRef checkOutcomeName(CheckOutcome Outcome) { return CheckOutcomeNames.nameOf(Outcome); }
inline std::optional<CheckOutcome> parseCheckOutcome(llvm::StringRef Name) {
  return CheckOutcomeNames.find(Name);
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_CHECKOUTCOME_H
