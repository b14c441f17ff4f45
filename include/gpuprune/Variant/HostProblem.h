//===- HostProblem.h - A workload's problem on the CPU --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_HOSTPROBLEM_H
#define GPUPRUNE_VARIANT_HOSTPROBLEM_H

#include "gpuprune/HostExecution/HostProgram.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "gpuprune/Runtime/Compare.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace gpuprune {

/// A problem with what its buffers hold before a launch, bit by bit as the runner
/// fills them. Runs do not change it, so many threads may share it.
class HostProblem {
public:
  /// Input error for a fill that its type does not hold.
  static llvm::Expected<HostProblem> create(ResolvedProblem Shape);

  const ResolvedLaunch &launch() const { return Shape.tuned(); }
  const ResolvedProblem &shape() const { return Shape; }
  llvm::ArrayRef<ResolvedBuffer> buffers() const { return Shape.Buffers; }
  /// One a buffer; empty for an out buffer.
  llvm::ArrayRef<std::vector<uint8_t>> contents() const { return Contents[0]; }
  /// The same where out buffers begin with \p Pattern.
  llvm::ArrayRef<std::vector<uint8_t>> contents(uint8_t Pattern) const {
    return Contents[Pattern == FillPatterns[1] && !Contents[1].empty()];
  }

  /// Puts every buffer's contents through \p Elements and every scalar argument through \p Scalar.
  void changeInputs(llvm::function_ref<void(const ResolvedBuffer &, llvm::MutableArrayRef<uint8_t>)> Elements,
                    llvm::function_ref<uint64_t(ElementType, uint64_t)> Scalar);

  /// Lets the buffer at \p Index, which is not in, hold what an earlier launch left in it where out buffers
  /// began with each of the patterns. What no launch has written differs, so that the two runs of a check
  /// tell whether it matters.
  void takeOver(size_t Index, std::vector<uint8_t> First, std::vector<uint8_t> Second);

  /// Of an out buffer that has been taken over, a byte for each of its own: not 0 where a launch has written
  /// it, by what differs between the patterns, or where it is padding. Empty of any other buffer.
  std::vector<uint8_t> writtenBytes(size_t Index) const;

private:
  ResolvedProblem Shape;
  std::set<size_t> BeganEmpty;                   ///< Out buffers that have been taken over.
  std::vector<std::vector<uint8_t>> Contents[2]; ///< By pattern; the second is empty before takeOver().
};

/// The launch \p Launched of the kernel that \p Author launches, which is not named yet: its extents, and the
/// arguments, with \p AddressOf each buffer by its index in the problem.
HostLaunch hostLaunch(const ResolvedLaunch &Author, const PhysicalLaunch &Launched,
                      llvm::function_ref<const void *(unsigned Buffer)> AddressOf);

/// A problem's buffers ready for one launch.
class HostBuffers {
public:
  /// Allocates and fills the buffers of \p Problem, out buffers with \p Pattern, and
  /// gives \p Program's variables their values: initial, or a buffer's of the problem.
  /// Resources error without memory, Input error for a variable that is too small.
  static llvm::Expected<HostBuffers> create(const HostProblem &Problem, HostProgram &Program, uint8_t Pattern,
                                            GuardSide Side = GuardSide::End);

  /// The launch \p Shape of the kernel that \p Author launches, over these buffers, which must stay where
  /// they are.
  HostLaunch launch(const ResolvedLaunch &Author, const PhysicalLaunch &Shape) const;
  /// What the buffer at \p Index of the problem holds; nothing of a variable that the
  /// program does not have.
  std::optional<llvm::ArrayRef<uint8_t>> bytes(size_t Index) const;
  const GuardedMemory &memory() const { return Memory; }
  GuardedMemory &memory() { return Memory; }
  /// The out buffers of \p Problem.
  std::vector<const GuardedBuffer *> outputs(const HostProblem &Problem) const;
  /// Marks what no launch has written of the buffer at \p Index, by \p Written, as GuardedMemory does; and
  /// what is written by now.
  void markUnwritten(size_t Index, llvm::ArrayRef<uint8_t> Written);
  llvm::ArrayRef<uint8_t> written(size_t Index) const;

private:
  GuardedMemory Memory;
  std::vector<const GuardedBuffer *> Buffers; ///< Null for a variable that is not there.
};

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_HOSTPROBLEM_H
