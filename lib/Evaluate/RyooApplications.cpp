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
    {"matmul", "Matrix multiplication", 6.98, {93, 363.3, 11, 88, 48.6}, "n=4096", "", 1},
    {"cp", "CP", 647, {38, 159.5, 10, 74, 42.95}, "width=4096 height=4096 natoms=4000", "", 1},
    {"sad", "SAD", 5.51, {908, 7.677, 16, 98, 0.127}, "width=176 height=144 frames=64", "", 1},
    {"mri-fhd",
     "MRI-FHD",
     228,
     {175, 771.9, 30, 77, 208.0},
     "voxels=12582912 nsamples=2048",
     "SAMPLES",
     2048},
};

ArrayRef<RyooApplication> ryooApplications() { return Applications; }

} // namespace gpuprune
