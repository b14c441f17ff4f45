//===- LiangApplications.cpp - What Liang et al. report ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangApplications.h"

using namespace llvm;

namespace gpuprune {

static constexpr LiangApplication SixApplications[] = {
    {"blackscholes", "BlackScholes", {14472, 55, 693, 244}},
    {"marching-cubes", "MarchingCubes", {3888, 47, 465, 169}},
    {"nbody", "Nbody", {11665, 95, 667, 64}},
    {"particle-collisions", "Particles", {338, 8, 416, 76}},
    {"sound-localisation", "3D Audio", {5236, 21, 1649, 274}},
    {"euler-solver", "CFD Solver", {4364, 21, 70, 34}},
};

ArrayRef<LiangApplication> liangApplications() { return SixApplications; }

static constexpr LiangMeans Means[] = {
    {"es", 1.36, std::nullopt, std::nullopt},
    {"ros", std::nullopt, 0.005, std::nullopt},
    {"pos", 1.34, 0.04, 60},
    {"posf", 1.33, 0.014, 355},
};

ArrayRef<LiangMeans> liangMeans() { return Means; }

} // namespace gpuprune
