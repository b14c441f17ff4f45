//===- ShapeControl.h - Which threads of a grid come where ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards and loops over the grid: conditions 6 and 7 of BlockShapeFreedom.h.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SHAPECONTROL_H
#define GPUPRUNE_LIB_TRANSFORMS_SHAPECONTROL_H

#include "Facts/IndexTerms.h"
#include "Facts/Influence.h"
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace gpuprune {

ShapeObstacle obstacleAt(ShapeObstacleKind Kind, const llvm::Instruction &I);

/// Constants below that may be added to G for the first index of a loop.
inline constexpr int64_t LargestStart = 65536;

/// for (i = G; i < bound; i += S)
struct GridLoop {
  const llvm::Loop *L = nullptr;
  unsigned Dimension = 0;
  unsigned Number = 0; ///< In DimensionFreedom::Loops.
  const llvm::PHINode *Index = nullptr;
  const llvm::ICmpInst *Exit = nullptr;
};

class ShapeControl {
public:
  explicit ShapeControl(llvm::Function &F);

  const IndexTerms &terms() const { return Terms; }
  llvm::ArrayRef<GridLoop> gridLoops() const { return GridLoops; }
  /// The guards of \p D without which \p BB is not reached.
  llvm::SmallVector<unsigned, 2> guardsOf(const llvm::BasicBlock &BB, unsigned D) const;

  /// Adds guards and loops to \p Freedom and what there is against other extents;
  /// \p Accesses are those that a guard is to keep surplus threads from.
  void judge(BlockShapeFreedom &Freedom, llvm::ArrayRef<const llvm::Instruction *> Accesses) const;

private:
  struct PlacedGuard {
    llvm::BasicBlockEdge Edge;
    unsigned Dimension;
    unsigned Number;
  };

  llvm::Function &F;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  IndexTerms Terms;
  std::array<std::optional<Influence>, 3> OfDimension;
  std::array<std::vector<IndexGuard>, 3> Guards, Loops;
  llvm::SmallVector<PlacedGuard, 8> Placed;
  llvm::SmallVector<GridLoop, 2> GridLoops;

  void addGuards(const llvm::BranchInst &Branch, unsigned Way);
  void addGridLoop(const llvm::Loop &L, unsigned D);
  const GridLoop *gridLoopAround(const llvm::BasicBlock &BB, unsigned D) const;
  bool depends(const Polynomial &P, unsigned D, const llvm::Loop *Outside) const;
  bool readsEarlier(const llvm::Instruction &I, const llvm::Loop &L) const;
  bool dependsOtherwise(const llvm::Instruction &I, const GridLoop &G) const;
  const llvm::Instruction *otherIndex(const GridLoop &G) const;
  const llvm::Instruction *surplusWork(const llvm::BasicBlock &BB, unsigned D) const;
  bool isPlain(const llvm::Value &Condition, unsigned D) const;
  std::optional<ShapeObstacle> againstExtent(unsigned D) const;
  bool isHarmless(const llvm::Instruction &Access, unsigned D) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SHAPECONTROL_H
