//===- Checker.h - The correctness gate -----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CHECKER_H
#define GPUPRUNE_LIB_RUNTIME_CHECKER_H

#include "DeviceBuffers.h"
#include "LoadedProgram.h"
#include <set>

namespace gpuprune {

/// Runs a candidate and compares what it leaves in memory with what the
/// reference leaves. Every program runs twice, over out buffers and guard zones
/// that hold two different patterns.
class Checker {
public:
  /// \p HostBudget bytes of reference outputs are kept on the host.
  Checker(const Gpu &G, ModuleCache &Modules, uint64_t HostBudget);

  /// Error: the candidate's own failure, or status reference.
  llvm::Expected<protocol::ProblemCheck> check(const protocol::Problem &P,
                                               const protocol::Comparison &Compare, const BufferSet &Buffers,
                                               const LoadedProgram &Candidate);

private:
  /// What the reference leaves in each buffer (nothing for in buffers).
  struct ReferenceSet {
    std::vector<ReferenceOutput> Outputs;
    std::vector<std::optional<uint64_t>> Unstable; ///< First element that differs between two runs.
    std::set<std::string> AgreesWith;              ///< Content keys of stock programs, with the tolerance.
  };

  llvm::Expected<std::shared_ptr<ReferenceSet>>
  reference(const protocol::Problem &P, const protocol::Comparison &Compare, const BufferSet &Buffers);
  llvm::Expected<std::shared_ptr<ReferenceSet>> runReference(const LoadedProgram &Program,
                                                             const BufferSet &Buffers);
  llvm::Error checkAgainstStock(const protocol::Problem &P, const protocol::Comparison &Compare,
                                const BufferSet &Buffers, ReferenceSet &Reference);
  llvm::Error runOnce(const LoadedProgram &Program, const BufferSet &Buffers, uint8_t Pattern);
  /// \p Reference is null where only guards and inputs can be checked.
  llvm::Expected<protocol::ProblemCheck> runAndCompare(const LoadedProgram &Program, const BufferSet &Buffers,
                                                       const ReferenceSet *Reference,
                                                       const protocol::Comparison &Compare);
  llvm::Error compareOutputs(const BufferSet &Buffers, const ReferenceSet &Reference, uint8_t Pattern,
                             const protocol::Comparison &Compare, protocol::ProblemCheck &Check);

  const Gpu &Owner;
  ModuleCache &Modules;
  LruCache<ReferenceSet> References;
};

/// \p E said of the reference, stock or baseline: its failure tells nothing of the candidate.
llvm::Error blameReference(llvm::Error E, llvm::StringRef Who);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CHECKER_H
