//===- FloatingPointFreedom.h - Where bits may differ ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which results of a kernel may have other bits although the kernel is right, and
// the instruction that is the reason. Everything else is compared bit by bit.
//
// Open between variants, which run the same prepared kernel at the same launch:
//
//   * an atomic addition or subtraction of floating point (atomicrmw, PTX atom and
//     red, a loop around cmpxchg whose new value is a sum or product of the old
//     one): the additions come in no order;
//   * an operation with fast-math flags that let the optimiser compute something
//     else: reassoc, arcp, afn, nsz. "contract" is not among them: gpu-prepare pins
//     what is contracted.
//
// Open between launches (another block, grid or define), besides:
//
//   * a sum or product of floating point that is a recurrence: a launch divides its
//     operands among threads and iterations in another way and so adds them in
//     another order. A recurrence is a fadd, fsub, fmul, fma (or PTX's add, sub,
//     mul, fma, mma) whose result comes back to one of its operands
//       - through phis: a loop's accumulator;
//       - through memory: what it adds comes from the object to which its result
//         goes, and a store of that object comes before a load of other elements
//         (block reductions, s[t] += s[t + k]) or, in a loop, of the same element.
//         An element that each iteration has to itself is updated, not summed up:
//         y[i] = a * x[i] + y[i] is none;
//       - through warp shuffles: also where they are unrolled, a sum of what another
//         sum gave to a shuffle.
//     Straight-line code, minima and maxima, and integers are never open.
//
// What an open instruction reaches, by data flow: the users of its result, what is
// stored and then loaded through pointers to the same object, results and arguments
// of functions, also as an address or as the condition of a select. Branches are not
// followed: which of two stores is executed is control. Different pointer arguments
// point to different objects; a pointer of unknown origin may point to all of them.
// A function that is not inlined is taken as one, whoever calls it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_FLOATINGPOINTFREEDOM_H
#define GPUPRUNE_ANALYSIS_FLOATINGPOINTFREEDOM_H

#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprune {

/// Why the memory that a pointer argument points to may hold other bits: the first
/// open instruction that reaches it ("atomicrmw fadd at line 12"; without the line
/// where it is unknown). Empty: its bits are fixed. It says nothing about types:
/// integers computed from open values are reached, too.
struct ArgumentFreedom {
  std::string BetweenVariants;
  std::string BetweenLaunches; ///< Not empty where BetweenVariants is not.
};

/// What device code leaves open about its results.
struct FloatingPointFreedom {
  /// Some function has fast-math flags or atomic additions of floating point.
  bool BetweenVariants = false;
  /// Why the GPU may have other bits than the CPU: operations that it approximates, by the
  /// name of their PTX ("rsqrt.approx.f"), "fast-math flags", "atomic fadd".
  std::set<std::string> Approximate;
  /// Of the kernel, one a parameter.
  std::vector<ArgumentFreedom> Arguments;
  /// The kernel compares computed floating-point numbers with each other and does something else with the
  /// answer than take the larger or smaller one (the index of the best): which of two equal ones it goes by
  /// may depend on the order in which threads come.
  bool BreaksTies = false;

  bool betweenMachines() const { return !Approximate.empty(); }
  /// In an order that may be another each time.
  bool addsAtomically() const { return Approximate.contains("atomic fadd"); }
};

/// BetweenVariants and Approximate of all functions of \p M, Arguments of \p Kernel, a
/// function of \p M with a body (none where it is null). Recurrences are told apart
/// from straight-line code only before -O3 unrolls them: call it right after gpu-prepare.
FloatingPointFreedom floatingPointFreedom(const llvm::Module &M, const llvm::Function *Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_FLOATINGPOINTFREEDOM_H
