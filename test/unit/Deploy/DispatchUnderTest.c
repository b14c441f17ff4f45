//===- DispatchUnderTest.c - Dispatch.c as the tests see it ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchUnderTest.h"
#include "dispatch/Dispatch.c"

void forgetModeAndKernels(void) {
  modeBits = 0;
  devicesSeen = NotCounted;
  traced = NULL;
}

void traceLaunches(void) { modeBits = Known | Traced; }
