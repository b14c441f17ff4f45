//===- BlockShapeFreedom.h - Whether a kernel may have another block --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid such as cdiv(n, block.x) follows the block; whether the kernel does is
// another question. In a dimension it does where all of this holds, of the kernel as
// gpu-prepare leaves it:
//
//  1. tid, ntid, ctaid and nctaid occur only in G = ctaid * ntid + tid and in
//     S = nctaid * ntid (IndexTerms.h).                                 BlockIndex
//  2. No shared memory; no barrier, fence, cluster or warp operation; no register that
//     tells where a thread runs; no call that is not inlined; no inline assembly but
//     arithmetic; nothing volatile, no atomic load or store.
//  3. Read-modify-write atomics have the scope of the device or the system, their
//     results are not used, they commute with each other, and nothing else reads or
//     writes what they change. Additions of floating-point numbers round in
//     another order (Rounds).                                           Atomic
//  4. What a thread stores no other thread loads: stores and loads are to different
//     objects, or to the same place of each thread, and threads have different
//     places (OwnPlace).                                                Communication
//  5. No reqntid, no cluster.                                           LaunchBound
//
// Then all that a thread does is a function of its G in each dimension, of S and of
// what memory held before the launch: by 1 and 2 nothing else enters, by 4 no load
// finds anything newer but what the same thread stored, and by 3 what atomics leave
// does not depend on their order. (Two threads that store different values to one
// place race in the author's own launch.) A launch with the same extents G runs
// through, grid * block, therefore leaves the same in memory.
//
// Of such a launch it need not be known what it is given: where memory is accessed at
// places that may or may not be one, as only the launch decides, 4 follows from
// the author's launch having no data races. That different arguments point to different
// buffers, and that threads have different places (OwnPlace), is then taken for granted:
//
//   Say that what every thread does alone, from what memory held before the launch, is
//   run A, and that thread t loads, in some launch of either shape, what another
//   thread u has stored. Take the first such load. All that the threads have done up to
//   there is what they do in A, by 1 to 3, so t loads from a place that u stores to in A.
//   The author's launch is A up to its own first such load, and without a barrier, fence
//   or acquiring operation (2) nothing orders the two: there they race, or an earlier
//   pair does.
//
// So no thread loads what another stores, whichever arguments are one buffer and however
// wide the rows of a matrix are. Where the code itself, and not the launch, lets a
// thread read what another one may write, as a stencil in place does, that is still
// Communication: such programs do race, and count on it that it does no harm. This is
// whyNotAsManyThreads(), of which launches of a program are in need; the sizes of a
// workload are known, and whyNot() asks them.
//
// With other extents S differs, and there are threads more or fewer. Then also:
//
//  6. S is only the step of a loop that starts at G plus a constant of the launch, goes
//     on while its index is below a bound of the launch, has no other loop-carried value,
//     knows the thread only by that index, is reached whatever G is, and leaves nothing
//     but what it stored, in places of each iteration's own. All threads together make each iteration once,
//     however many there are.                                           GridExtent, Communication
//  7. Each access to memory is in such a loop, or is only reached where G is below a
//     bound of the launch, which is at most both extents: threads there are more or
//     fewer of do nothing. Nor do they loop for ever, or branch on what may be
//     poison: outside of guards, branches compare G plus constants of the launch
//     with such, and loops go round equally often for all threads. A load that all
//     threads make from one address needs no guard.                     Unguarded
//  8. No index wraps.                                                   Wrap
//
// A constant of the launch is what scalar arguments decide, and integers in structures that are passed by
// value, where the kernel only reads these (ParameterMembers.h).
//
// 1 to 6 are asked of the code, and 7 and 8 of the numbers of each launch (whyNot).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_BLOCKSHAPEFREEDOM_H
#define GPUPRUNE_TRANSFORMS_BLOCKSHAPEFREEDOM_H

#include "gpuprune/Transforms/LaunchFormula.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprune {

enum class ShapeObstacleKind {
#define GPUPRUNE_SHAPE_OBSTACLE(NAME, WHY) NAME,
#include "gpuprune/Transforms/ShapeObstacles.def"
};

/// "SharedMemory"
llvm::StringRef shapeObstacleName(ShapeObstacleKind Kind);
/// The row's second column.
llvm::StringRef whyShapeObstacle(ShapeObstacleKind Kind);

/// A condition that is not met, and where.
struct ShapeObstacle {
  ShapeObstacleKind Kind = ShapeObstacleKind::BlockIndex;
  std::string What;  ///< The instruction or the numbers; may be empty.
  unsigned Line = 0; ///< Of the source; 0: not known.

  /// "SharedMemory: the threads that ... (line 7: %1 = ...)"
  std::string message() const;
};

/// Threads that get here have Factor * G + Offset below Bound.
struct IndexGuard {
  uint64_t Factor = 1;
  LaunchFormula Offset, Bound;
  bool Inclusive = false;  ///< Or equal to it.
  bool Signed = true;      ///< Of the comparison,
  unsigned Bits = 32;      ///< which has as many bits.
  unsigned IndexBits = 32; ///< Of Factor * G + Offset, before an extension,
  bool IndexSigned = true; ///< which is of that kind.
  bool Narrow = false;     ///< G itself has 32 bits.

  /// The threads that pass have a G below it, in grids of at most \p Threads; nothing where a
  /// scalar is not known or an index wraps.
  std::optional<int64_t> bound(const LaunchNumbers &Launch, int64_t Threads) const;
};

/// A place that a thread both stores to and loads from.
struct OwnPlace {
  /// Bytes between places: Scale times the sum of Factors[D] * index.
  std::array<std::optional<LaunchFormula>, 3> Factors;
  /// The index of D runs over a loop of number Loops[D], else it is G.
  std::array<std::optional<unsigned>, 3> Loops;
  /// Guards of both accesses, by dimension.
  std::array<llvm::SmallVector<unsigned, 2>, 3> Guards;
  uint64_t Scale = 1;
  uint64_t Span = 1; ///< Bytes.
  unsigned Bits = 64;
  bool Narrow = false; ///< Indices have 32 bits.
  ShapeObstacle Otherwise;
};

/// Of one dimension.
struct DimensionFreedom {
  /// Against any other shape.
  std::optional<ShapeObstacle> Never;
  /// Against shapes with which the grid has more or fewer threads.
  std::optional<ShapeObstacle> OtherExtent;
  /// G is not what it should be in a grid of 2^31 threads or more.
  bool MustNotWrap = false;
  std::vector<IndexGuard> Guards;
  /// Loops by S: their index is below the bound.
  std::vector<IndexGuard> Loops;
  /// For each access with guards, which ones; one of them has to keep surplus threads out.
  std::vector<llvm::SmallVector<unsigned, 2>> Needed;
};

struct BlockShapeFreedom {
  std::array<DimensionFreedom, 3> Dimensions;
  std::vector<OwnPlace> Places;
  std::optional<uint64_t> MostThreads; ///< Of a block, by maxntid.
  /// Floating-point additions are made in another order; results agree but for rounding.
  bool Rounds = false;

  /// Why \p Other may not stand for \p Author, where it may not. Dimensions in \p Promised are not
  /// asked about. Limits of the device are not checked.
  std::optional<ShapeObstacle> whyNot(const LaunchNumbers &Author, const LaunchNumbers &Other,
                                      std::array<bool, 3> Promised = {}) const;

  /// Why blocks of \p Other threads may not stand for blocks of \p Author, whatever is launched, where the
  /// grid has as many threads in each dimension, and less than 2^31. Asked of distinctBuffers().
  std::optional<ShapeObstacle> whyNotAsManyThreads(const Dim3 &Author, const Dim3 &Other) const;
};

/// The buffer of each pointer argument: arguments with different ones point to different
/// memory. Nothing is known of an argument without one.
using ArgumentBuffers = std::vector<std::optional<unsigned>>;

/// A buffer for each pointer among the arguments of \p F.
ArgumentBuffers distinctBuffers(const llvm::Function &F);

/// Asks \p F, a kernel that has been prepared.
BlockShapeFreedom findBlockShapeFreedom(llvm::Function &F, const ArgumentBuffers &Buffers);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_BLOCKSHAPEFREEDOM_H
