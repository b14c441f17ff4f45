//===- CuptiHeadersTest.cpp - Our declarations are NVIDIA's --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built only where CUPTI's headers are.
//
//===----------------------------------------------------------------------===//
#include <cuda.h>
#include <cupti.h>

// What follows declares the same handles once more, with the same names.
#include "CuptiTypes.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

#define GPUPRUNE_SAME(Ours, Field, Theirs, TheirField)                                                       \
  static_assert(offsetof(Ours, Field) == offsetof(Theirs, TheirField))

GPUPRUNE_SAME(cupti::CallbackData, FunctionParams, CUpti_CallbackData, functionParams);
GPUPRUNE_SAME(cupti::CallbackData, FunctionReturnValue, CUpti_CallbackData, functionReturnValue);
GPUPRUNE_SAME(cupti::CallbackData, SymbolName, CUpti_CallbackData, symbolName);
GPUPRUNE_SAME(cupti::CallbackData, CorrelationId, CUpti_CallbackData, correlationId);
GPUPRUNE_SAME(cupti::KernelActivity, Start, CUpti_ActivityKernel9, start);
GPUPRUNE_SAME(cupti::KernelActivity, Grid, CUpti_ActivityKernel9, gridX);
GPUPRUNE_SAME(cupti::KernelActivity, DynamicShared, CUpti_ActivityKernel9, dynamicSharedMemory);
GPUPRUNE_SAME(cupti::KernelActivity, CorrelationId, CUpti_ActivityKernel9, correlationId);
GPUPRUNE_SAME(cupti::KernelActivity, Name, CUpti_ActivityKernel9, name);
GPUPRUNE_SAME(cupti::KernelActivity, GraphId, CUpti_ActivityKernel9, graphId);
GPUPRUNE_SAME(cupti::LaunchParams, SharedBytes, cuLaunchKernel_params, sharedMemBytes);
GPUPRUNE_SAME(cupti::LaunchParams, Extra, cuLaunchKernel_params, extra);
GPUPRUNE_SAME(cupti::LaunchParams, KernelParams, cuLaunchCooperativeKernel_params, kernelParams);
GPUPRUNE_SAME(cupti::LaunchExParams, Extra, cuLaunchKernelEx_params, extra);
GPUPRUNE_SAME(cupti::LaunchConfig, AttributeCount, CUlaunchConfig, numAttrs);
GPUPRUNE_SAME(cupti::LaunchAttribute, Value, CUlaunchAttribute, value);
static_assert(sizeof(cupti::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(cupti::DriverApi == CUPTI_CB_DOMAIN_DRIVER_API);
static_assert(cupti::ConcurrentKernel == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
static_assert(cupti::MultipleSubscribers == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(cupti::Exit == CUPTI_API_EXIT);
static_assert(cupti::AttributeCarveout == CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
static_assert(cuda::PointerRangeSize == CU_POINTER_ATTRIBUTE_RANGE_SIZE);
static_assert(cuda::PointerMappingBase == CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR);
static_assert(cuda::RequiredClusterWidth == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);

TEST(CuptiHeadersTest, HaveOurNumbers) {
#define GPUPRUNE_CALLBACK(What, Id, Name) EXPECT_EQ(Id, CUPTI_DRIVER_TRACE_CBID_##Name);
#include "Callbacks.def"
}

} // namespace
