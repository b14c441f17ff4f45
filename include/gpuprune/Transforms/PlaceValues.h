//===- PlaceValues.h - Values out of registers, at the end of the pipeline ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What gpu-registers asks for that would not survive the -O3 pipeline, or that needs
// the code as ptxas gets it. Steps in this order, each where most registers are live
// (the peak, in loops if there are any):
//
// sink, hoist  A computation moves behind the peak, next to its first use, where its
//              operands live there anyway; or before the peak, where more registers
//              of operands end with it than its result takes.
// remat        A value that follows from indices and parameters in a few instructions
//              is computed again before each group of uses.
// spill        Ryoo et al., section 3.1: the programmer's proactive spilling. Of the
//              values that live at the peak those that live longest for each access
//              are stored once, where they are defined, and loaded again before each
//              group of uses behind the peak.
//
//   Before:  p = A + row * n;              After:  p = A + row * n;
//            for (...) { 64 products }             spilled[0][t] = p.lo; spilled[1][t] = p.hi;
//            *p = ...;                             for (...) { 64 products }
//                                                  *load(spilled[.][t]) = ...;
//
// In shared memory a word lies at [word * threads + thread of the block], so a warp's
// access has no bank conflict. Accesses are volatile: neither LLVM nor ptxas then
// forwards the stored value to the load, which would keep it in a register. PTX has no
// volatile accesses of local memory; there the thread's first word lies at the beginning
// of the array plus a zero (the lane's number shifted by 5) that ptxas knows too late to
// make registers of the array.
//
// Why it is right. A use is dominated by its definition, and what was stored last is
// what the last execution of the definition made. A word belongs to one thread, so
// nobody else reads or writes it, and it needs no barrier. Values that a branch depends
// on stay, so that how often each block is executed is as easily known as before.
//
// Refused:
//   MissingThreadBound  spill-to=shared without a bound on the threads of a block.
//   TooLarge            static shared memory would exceed 48 KiB.
//   NothingToSpill      no value lives long enough across the peak without being used.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PLACEVALUES_H
#define GPUPRUNE_TRANSFORMS_PLACEVALUES_H

#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace gpuprune {

struct RegistersOptions;

/// The attribute by which gpu-registers leaves word for PlaceValuesPass. Nothing in between looks at it.
inline constexpr llvm::StringLiteral PlacementRequest = "gpuprune.place";

/// Notes on \p F what is to be done at the end, besides what has been noted before.
void requestPlacement(llvm::Function &F, const RegistersOptions &Options);

/// What was done to \p F, a line each: "spilled to shared memory: pointer of line 12, …".
std::vector<std::string> placedValues(const llvm::Function &F);

/// Does what was noted; runs after all else.
class PlaceValuesPass : public llvm::PassInfoMixin<PlaceValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PLACEVALUES_H
