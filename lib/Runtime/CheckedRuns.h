//===- CheckedRuns.h - Runs whose results are looked at -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CHECKEDRUNS_H
#define GPUPRUNE_LIB_RUNTIME_CHECKEDRUNS_H

#include "ReferenceStore.h"

namespace gpuprune {

/// The runs of a program over patterns. Each is looked at before the next one begins: its guard zones, and
/// its outputs beside those that are kept of another program. All of a run is enqueued and waited for once.
class CheckedRuns {
public:
  /// Compares with \p Wanted, buffer by buffer as \p By says; where it is null, looks at guard zones only.
  /// The last of so many \p Runs tells whether it is intact.
  CheckedRuns(const Gpu &G, const DeviceKernels &Kernels, const LoadedProgram &Program,
              const BufferSet &Buffers, const ReferenceSet *Wanted, std::vector<protocol::Comparison> By,
              size_t Runs);

  struct Left {
    std::optional<protocol::Mismatch> Guard; ///< A zone that was hit; then outputs are not looked at.
    /// Buffer by buffer, until one is wrong; nothing for what is not compared.
    std::vector<std::optional<OutputVerdict>> Outputs;
  };
  /// Run \p Run, the first (0) or the second (1), which follows the first. \p Around, if given, are events
  /// around the last kernel. Error: what the program did, or status memory.
  llvm::Expected<Left> run(size_t Run, const EventPair *Around);

private:
  llvm::Expected<Left> runAndLook(size_t Run, const EventPair *Around);
  /// What is enqueued of a buffer; nothing where it is compared with what lies on the host.
  struct Comparisons {
    enum { Nothing, Hash, Structures, Fields } Kind = Nothing;
    std::vector<kernels::CompareRule> OfFields;
    size_t looks() const { return Kind == Fields ? OfFields.size() : Kind != Nothing; }
  };
  llvm::Expected<std::vector<Comparisons>> enqueueComparisons(size_t Run, Looks &Enqueued);
  llvm::Expected<Comparisons> enqueueComparison(size_t Buffer, size_t Run, Looks &Enqueued);
  llvm::Expected<OutputVerdict> judge(size_t Buffer, size_t Run, const Comparisons &Made,
                                      llvm::ArrayRef<kernels::Findings> Found);
  llvm::Error judgeOutputs(size_t Run, llvm::ArrayRef<Comparisons> Made,
                           llvm::ArrayRef<kernels::Findings> Found, Left &All);
  const KeptOutput *wanted(size_t Buffer) const;
  UntouchedElements *untouched(size_t Buffer);

  const Gpu &Owner;
  const DeviceKernels &Kernels;
  const LoadedProgram &Program;
  const BufferSet &Buffers;
  const ReferenceSet *Wanted;
  std::vector<protocol::Comparison> By;
  size_t Runs;
  std::vector<UntouchedElements> Untouched;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CHECKEDRUNS_H
