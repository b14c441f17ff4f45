//===- Unroll.h - gpu-unroll: unrolls one numbered loop of a kernel ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  for (k = 0; k < 16; ++k)        After gpu-unroll<loop=1;factor=4>:
//            acc += A[k] * B[k];             for (k = 0; k < 16; k += 4) {
//                                              acc += A[k] * B[k]; ... acc += A[k+3] * B[k+3]; }
//
// Afterwards the loop carries llvm.loop.unroll.disable: the variant has decided,
// so neither LLVM nor ptxas (.pragma "nounroll") unrolls it again. factor=1
// therefore means "leave it rolled". A factor of at least a constant trip count
// is a full unroll. A loop with several latches gets one first.
//
// Where the factor is not proved to divide the trip count, remainder= says what
// becomes of the iterations that are left:
//
//   loop      a loop of their own, rolled;
//   unrolled  factor - 1 copies, each behind its test;
//   none      there are none: each copy in the loop keeps its test.
//
// Barriers and warp operations. Threads that meet in one have to come to the same
// copy of it. Copies with their tests, and copies that need none, keep that for any
// trip counts: iteration i is copy i modulo the factor in every thread. A remainder
// keeps it only where the trip count is the same for all threads of the block, for
// then all change over after the same iteration: with counts 3 and 4 and a factor of
// 4, one thread would be in the remainder while another is in the loop. So a loop
// with such operations gets a remainder where its trip count is proved to be
// the same, and remainder=none otherwise, whatever is asked for. An author's loop
// may have such counts even around __syncthreads(), if not every iteration
// comes to it.
//
// How often `for (i = first; i < n; i += gridDim.x * blockDim.x)` runs is not known from its code, for the
// step may be negative and i may wrap around. With a remainder, a test before the loop shows that neither
// happens and how many multiples of the factor there are (lib/Transforms/Unroll/CountedLoop.h): copies
// without tests between them load at once, also ahead of the stores of earlier copies where no iteration
// stores what another one loads (lib/Transforms/Unroll/LoadsAhead.h). Where the test fails, and of loops with
// barriers, copies have their tests.
//
// With loads=vector, loads of one element after another become vectors of up to 16 bytes, and a loop before
// the unrolled one runs until these are aligned: lib/Transforms/Unroll/VectorLoads.h.
//
// Refused:
//   NoSuchLoop             the kernel has no loop of that number;
//   UnknownTripCount       factor=full without a constant bound of the trip count;
//   TooLarge               the unrolled body would pass 100,000 instructions;
//   NotUnrolled            the loop holds a call that must not be copied, or a jump
//                          to a computed address, which would leave the copies;
//   with loads=vector, besides: NotContiguous, UnknownNextIteration, MayNotReturn,
//   DependentBarrier, MayBeWritten, Synchronisation.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_UNROLL_H
#define GPUPRUNE_TRANSFORMS_UNROLL_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

/// What becomes of iterations that the factor leaves.
enum class UnrollRemainder { Loop, Unrolled, None };

/// How the copies read elements that follow one another.
enum class UnrollLoads { Scalar, Vector };

struct UnrollOptions : TabledOptions<UnrollOptions> {
  unsigned Loop = 0;   ///< Number of the loop, as gpu-prepare gives it.
  unsigned Factor = 1; ///< Copies of the body; not used where Full is set.
  bool Full = false;
  UnrollRemainder Remainder = UnrollRemainder::Loop;
  UnrollLoads Loads = UnrollLoads::Scalar;
  std::string Kernel; ///< Empty: every kernel of the module.

  static const OptionTable<UnrollOptions> &table();
};

class UnrollPass : public PassWithOptions<UnrollPass, UnrollOptions> {
public:
  static constexpr const char *PassName = "gpu-unroll";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// A loop that holds no other.
struct InnermostLoop {
  unsigned Number = 0;
  std::optional<uint64_t> TripCount; ///< Where it is a constant.
  bool ReadsRows = false;            ///< Vectors can be read in it, and threads begin at other places.
  bool Strides = false;              ///< By a step of the launch, so that it is counted before it runs.

  bool isDeep() const { return ReadsRows || Strides; }
};

/// Factors for each of \p Loops, and the whole trip count where it is not too large.
PassOffers offerUnrolling(llvm::ArrayRef<InnermostLoop> Loops);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_UNROLL_H
