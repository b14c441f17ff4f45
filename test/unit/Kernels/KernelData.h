//===- KernelData.h - A workload's buffers for its reference -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_KERNELS_KERNELDATA_H
#define GPUPRUNE_TEST_UNIT_KERNELS_KERNELDATA_H

#include "Reference.h"
#include "gpuprune/Workload/Problem.h"
#include "gtest/gtest.h"

namespace gpuprune::test {

/// The folders of kernels/ that hold a workload, by name, sorted.
std::vector<std::string> kernelFolders();
/// The same of kernels/sequences/, as "sequences/scan".
std::vector<std::string> sequenceFolders();
llvm::Expected<Workload> loadKernel(const std::string &Folder);
/// The folder's name as a test's.
std::string kernelTestName(const testing::TestParamInfo<std::string> &Folder);

/// What \p W's kernel finds at \p Sizes, with the author's defines: buffers
/// filled as the runner fills them.
kernels::Problem kernelProblem(const Workload &W, const ResolvedProblem &Resolved, const SizeEnv &Sizes);

/// Where \p Got, read from the buffer \p Name of \p Expected's problem, is not what the
/// reference says, the first place as text; else empty. What an out buffer was filled
/// with before the run is \p Pattern, byte by byte.
std::string firstDifference(const ResolvedBuffer &Shape, const kernels::BufferData &Expected,
                            llvm::ArrayRef<uint8_t> Got, kernels::Tolerance Allowed, uint8_t Pattern);

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_KERNELS_KERNELDATA_H
