//===- UnrollAndJam.h - gpu-unroll-and-jam: outer iterations side by side ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:                            After gpu-unroll-and-jam<loop=0;factor=2>:
//   for (c = 0; c < m; ++c) {          for (c = 0; c + 1 < m; c += 2) {
//     s = 0;                             s0 = 0; s1 = 0;
//     for (f = 0; f < n; ++f)            for (f = 0; f < n; ++f) {
//       s += x[f] * w[c][f];               s0 += x[f] * w[c][f];
//     use s;                               s1 += x[f] * w[c + 1][f];
//   }                                    }
//                                        use s0; use s1;
//                                      }
//                                      the iteration that is left, if any
//
// The outer loop is unrolled as gpu-unroll does it, with a rolled remainder loop, and the
// copies of each loop directly in it become one: x[f] is loaded once for all. A test
// that leads past an inner loop and is the same for all iterations (0 < n) goes before
// the outer loop, which then exists twice. Numbers stay: an inner loop's is that of the jammed
// one and of the one in the remainder. All of them carry llvm.loop.unroll.disable; factor=1
// leaves everything rolled.
//
// Why it is right. The author's order is inner loop A, then M, what lies between, then the
// next iteration's inner loop B. What B needs of M is computed before A; then each iteration of A
// is followed by one of B; then comes the rest of M. So B has to run as often as A, to need nothing
// that A computes, and to touch no memory that A or M write, nor write what they
// touch: objects, address spaces and types tell, offsets do not. Without barriers, fences, atomic and
// volatile accesses among A, M and B no other thread may rely on the order. Every value is computed from the
// same ones as before, sums in the author's order.
//
// Where A and B may run different numbers of times, or under a condition each, both become two loops first:
// one that goes on while all iterations do, and the rest of each. The first ones run equally often then; the
// rests follow them, before what is left of M, so B's rest is held to what holds for B.
//
// Refused: NoSuchLoop, NoInnerLoop, DependentControl, CarriedValue, MayBeWritten, Volatile,
//   Synchronisation, InlineAsm, Call, NotUnrolled, TooLarge, NoSuchKernel.
//   docs/passes/gpu-unroll-and-jam.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_UNROLLANDJAM_H
#define GPUPRUNE_TRANSFORMS_UNROLLANDJAM_H

#include "gpuprune/Transforms/PassOffer.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace gpuprune {

struct UnrollAndJamOptions : TabledOptions<UnrollAndJamOptions> {
  unsigned Loop = 0;   ///< Number of the outer loop, as gpu-prepare gives it.
  unsigned Factor = 1; ///< Iterations that become one.
  std::string Kernel;  ///< Empty: every kernel of the module.

  static const OptionTable<UnrollAndJamOptions> &table();
};

class UnrollAndJamPass : public PassWithOptions<UnrollAndJamPass, UnrollAndJamOptions> {
public:
  static constexpr const char *PassName = "gpu-unroll-and-jam";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// The numbers of the loops of a prepared kernel that gpu-unroll-and-jam can take.
llvm::SmallVector<unsigned, 4> jammableLoops(llvm::Function &F);

/// The same factor for \p Loops.
PassOffers offerJamming(llvm::ArrayRef<unsigned> Loops);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_UNROLLANDJAM_H
