//===- LevelMarks.h - What the front end says of its optimisation level -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -O1 clang marks each loop as not to be unrolled. A tuned kernel is compiled as with -O3, and is the
// same whatever level the build has; so device code is looked at without these marks:
//
//   WithoutLevelMarks Without(M, Level);
//   digest, collect, keep a copy of M
//
// A loop that the author has marked so (`#pragma nounroll`) cannot be told from the others with -O1, and
// there makes another digest than the recorded one: the author's kernel runs.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_LEVELMARKS_H
#define GPUPRUNE_LIB_DEPLOY_LEVELMARKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class Instruction;
class MDNode;
class Module;
} // namespace llvm

namespace gpuprune {

class WithoutLevelMarks {
public:
  WithoutLevelMarks(llvm::Module &M, llvm::OptimizationLevel Level);
  ~WithoutLevelMarks(); ///< Puts them back.
  WithoutLevelMarks(const WithoutLevelMarks &) = delete;
  WithoutLevelMarks &operator=(const WithoutLevelMarks &) = delete;

private:
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::MDNode *>, 16> Marked;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_LEVELMARKS_H
