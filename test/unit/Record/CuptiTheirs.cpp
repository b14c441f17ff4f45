//===- CuptiTheirs.cpp - The numbers in NVIDIA's headers -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the test, since both declare CUDA's handles.
//
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cuda.h>
#include <cupti.h>
#include <vector>

std::vector<size_t> theirNumbers() {
  return {
#define GPUPRUNE_FIELD(Ours, Field, Theirs, TheirField) offsetof(Theirs, TheirField),
#define GPUPRUNE_VALUE(Ours, Theirs) size_t(Theirs),
#include "CuptiFields.def"
#define GPUPRUNE_CALLBACK(What, Id, Name) size_t(CUPTI_DRIVER_TRACE_CBID_##Name),
#include "Callbacks.def"
  };
}
