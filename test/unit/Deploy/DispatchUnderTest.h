//===- DispatchUnderTest.h - Dispatch.c as the tests see it ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHUNDERTEST_H
#define GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHUNDERTEST_H

#ifdef __cplusplus
extern "C" {
#endif

/* As in a process that has just begun: it reads the environment with its first launch. */
void forgetModeAndKernels(void);
/* As with GPUPRUNE_TRACE=1, without the report at the end. */
void traceLaunches(void);

#ifdef __cplusplus
}
#endif

#endif
