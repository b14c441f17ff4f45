//===- RyooApplications.cpp - What Ryoo et al. report --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RyooApplications.h"

using namespace llvm;

namespace gpuprune {

static constexpr RyooApplication Applications[] = {
    {"matmul", "Matrix multiplication", {93, 363.3, 11, 88, 48.6}, "", 1},
    {"cp", "CP", {38, 159.5, 10, 74, 42.95}, "", 1},
    {"sad", "SAD", {908, 7.677, 16, 98, 0.127}, "", 1},
    {"mri-fhd", "MRI-FHD", {175, 771.9, 30, 77, 208.0}, "SAMPLES", 2048},
};

ArrayRef<RyooApplication> ryooApplications() { return Applications; }

} // namespace gpuprune
