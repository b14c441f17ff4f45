//===- DispatchUnderTest.c - Dispatch.c as the tests see it ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchUnderTest.h"
#include "dispatch/Dispatch.c"

void forgetModeAndKernels(void) {
  process.mode = 0;
  process.devices = NotCounted;
  process.traced = NULL;
}

void traceLaunches(void) { process.mode = Known | Traced; }
