//===- ReferenceStore.h - What programs leave that others are compared with ==//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H
#define GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H

#include "DeviceBuffers.h"
#include "LoadedProgram.h"
#include "SharedFill.h"

namespace gpuprune {

/// Runs \p Program and waits for it, over out buffers, guard zones and shared memory that hold the patterns
/// of run \p Run, the first (0) or the second (1).
llvm::Error runOverPatterns(const Gpu &G, const SharedFill &Shared, const LoadedProgram &Program,
                            const BufferSet &Buffers, size_t Run);

/// An in buffer or a symbol that does not hold any more what it held before \p Program ran.
llvm::Expected<std::optional<protocol::Mismatch>> findChangedInput(const LoadedProgram &Program,
                                                                   const BufferSet &Buffers);

/// What a program left after its two runs, buffer by buffer; nothing of in buffers.
struct ReferenceSet {
  std::vector<ReferenceOutput> Outputs;
  std::vector<protocol::Difference> BetweenRuns;
  /// A guard zone or an input that it changed: then there is nothing else.
  std::optional<protocol::Mismatch> Misdeed;
  std::string Hash; ///< Of Outputs, when they were made.

  std::string hashNow() const;
  bool isIntact() const { return hashNow() == Hash; }
};

/// Keeps what programs left on the host, found again by their content.
class ReferenceStore {
public:
  ReferenceStore(const Gpu &G, const SharedFill &Shared, uint64_t HostBudget)
      : Owner(G), Shared(Shared), Sets(HostBudget) {}

  /// Equal for programs that do the same to equal buffers. \p Tolerance counts, since BetweenRuns knows it.
  static std::string keyOf(const LoadedProgram &Program, const protocol::Problem &P,
                           const protocol::Comparison &Tolerance);
  /// Runs \p Program where nothing is kept under \p Key. Error: the program's failure.
  llvm::Expected<std::shared_ptr<ReferenceSet>> get(const std::string &Key, const LoadedProgram &Program,
                                                    const BufferSet &Buffers,
                                                    const protocol::Comparison &Tolerance);
  /// Says that \p Key leaves in every bit what \p Same does, and keeps it only once.
  void unite(const std::string &Key, const std::string &Same);
  void forget(const std::string &Key);

private:
  llvm::Expected<std::shared_ptr<ReferenceSet>> run(const LoadedProgram &Program, const BufferSet &Buffers,
                                                    const protocol::Comparison &Tolerance);

  const Gpu &Owner;
  const SharedFill &Shared;
  LruCache<ReferenceSet> Sets;
  llvm::StringMap<std::string> United;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H
