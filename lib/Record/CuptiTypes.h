//===- CuptiTypes.h - The part of CUPTI that is used ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared here, so that the recorder builds where no CUDA toolkit is. Layouts and
// values are those of NVIDIA's cupti.h, generated_cuda_meta.h and cuda.h, which are part of CUPTI's ABI:
// newer versions add fields at the end of records. unit.Record compares them with the headers where these
// are.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_CUPTITYPES_H
#define GPUPRUNE_LIB_RECORD_CUPTITYPES_H

#include "RecordDriver.h"
#include <cstddef>
#include <cstdint>

namespace gpuprune::cupti {

using Result = int;
using Subscriber = struct CUpti_Subscriber_st *;

constexpr Result Success = 0;
constexpr Result MultipleSubscribers = 39;
constexpr int DriverApi = 1;         ///< A domain of callbacks.
constexpr int ConcurrentKernel = 10; ///< A kind of activity; the record is KernelActivity.
constexpr uint32_t FlushForced = 1;
/// No driver has as many functions.
constexpr uint32_t MostCallbacks = 4096;

enum Site : int { Enter = 0, Exit = 1 };

/// CUpti_CallbackData
struct CallbackData {
  Site CallbackSite;
  const char *FunctionName;
  const void *FunctionParams;
  void *FunctionReturnValue; ///< A CUresult, on exit.
  const char *SymbolName;    ///< Of a launch: the kernel's symbol.
  CUcontext Context;
  uint32_t ContextUid;
  uint64_t *CorrelationData;
  uint32_t CorrelationId;
};

/// The beginning of CUpti_ActivityKernel6 and all later ones.
struct KernelActivity {
  int Kind;
  uint8_t CacheConfig, SharedMemoryConfig;
  uint16_t RegistersPerThread;
  int PartitionedCacheRequested, PartitionedCacheExecuted;
  uint64_t Start, End, Completed; ///< Nanoseconds; 0: not known.
  uint32_t DeviceId, ContextId, StreamId;
  int32_t Grid[3], Block[3];
  int32_t StaticShared, DynamicShared;
  uint32_t LocalMemoryPerThread, LocalMemoryTotal;
  uint32_t CorrelationId;
  int64_t GridId;
  const char *Name; ///< The symbol.
  void *Reserved;
  uint64_t Queued, Submitted;
  uint8_t LaunchType, CarveoutIsRequested, CarveoutRequested, Padding;
  uint32_t SharedMemoryExecuted;
  uint64_t GraphNodeId;
  int SharedLimitConfig;
  uint32_t GraphId; ///< 0: not launched as a node of a graph.
};
static_assert(offsetof(KernelActivity, Start) == 16 && offsetof(KernelActivity, CorrelationId) == 92 &&
              offsetof(KernelActivity, Name) == 104 && offsetof(KernelActivity, GraphId) == 156);

/// cuLaunchKernel_params; cuLaunchCooperativeKernel_params is the same without Extra.
struct LaunchParams {
  CUfunction Function;
  uint32_t Grid[3], Block[3];
  uint32_t SharedBytes;
  CUstream Stream;
  void **KernelParams;
  void **Extra;
};

/// CUlaunchAttribute: what an attribute says takes 64 bytes.
struct LaunchAttribute {
  int Id;
  char Padding[4];
  char Value[64];
};

/// CUlaunchConfig
struct LaunchConfig {
  uint32_t Grid[3], Block[3];
  uint32_t SharedBytes;
  CUstream Stream;
  const LaunchAttribute *Attributes;
  uint32_t AttributeCount;
};

/// cuLaunchKernelEx_params
struct LaunchExParams {
  const LaunchConfig *Config;
  CUfunction Function;
  void **KernelParams;
  void **Extra;
};

/// The first parameter of cuStreamBeginCapture and all its kin, cuStreamEndCapture and cuStreamDestroy.
struct StreamParams {
  CUstream Stream;
};

/// cuTexObjectCreate and cuSurfObjectCreate: where the handle goes.
struct ObjectCreateParams {
  uint64_t *Object;
};
/// cuTexObjectDestroy and cuSurfObjectDestroy.
struct ObjectDestroyParams {
  uint64_t Object;
};

enum LaunchAttributeId : int {
  AttributeIgnore = 0,
  AttributeAccessPolicy = 1,
  AttributeCooperative = 2,
  AttributeClusterDimension = 4,
  AttributePriority = 8,
  AttributeMemSyncDomainMap = 9,
  AttributeMemSyncDomain = 10,
  AttributeCarveout = 14,
};

} // namespace gpuprune::cupti

#endif // GPUPRUNE_LIB_RECORD_CUPTITYPES_H
