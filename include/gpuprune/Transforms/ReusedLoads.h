//===- ReusedLoads.h - Loads that results of several blocks share -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column]: the results of a row share
// what is read of A, those of a column what is read of B. A thread that makes 8 x 8 results reads
// 16 values for 64 products, where 64 threads read 128. A kernel that reads each value for one
// result has nothing to share, and further results cost it registers alone; nor has one whose results
// each decide by a condition of their own whether they read, for then each reads by itself.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_REUSEDLOADS_H
#define GPUPRUNE_TRANSFORMS_REUSEDLOADS_H

#include <array>

namespace llvm {
class Function;
}

namespace gpuprune {

/// For each dimension of the grid, whether a loop of the prepared kernel \p F reads what does not depend on
/// the block's index in that dimension: something else in each iteration, from no array of the thread, and
/// where no condition within the loop depends on that index either. A kernel that does not ask for the index
/// depends on it nowhere.
std::array<bool, 3> reusesLoads(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_REUSEDLOADS_H
