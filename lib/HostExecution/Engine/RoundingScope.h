//===- RoundingScope.h - The processor's rounding direction ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_ROUNDINGSCOPE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_ROUNDINGSCOPE_H

#include "gpuprune/HostExecution/HostLaunch.h"
#include <cfenv>

namespace gpuprune {

/// This thread rounds in a direction as long as this lives.
class RoundingScope {
public:
  explicit RoundingScope(Rounding Round) : Before(std::fegetround()) {
    constexpr int Directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(Directions[uint32_t(Round)]);
  }
  ~RoundingScope() { std::fesetround(Before); }
  RoundingScope(const RoundingScope &) = delete;
  RoundingScope &operator=(const RoundingScope &) = delete;

private:
  int Before;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_ROUNDINGSCOPE_H
