//===- KeptOutput.h - What a program left in one buffer -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KEPTOUTPUT_H
#define GPUPRUNE_LIB_RUNTIME_KEPTOUTPUT_H

#include "DeviceKernels.h"
#include "gpuprune/Runtime/Compare.h"

namespace gpuprune {

/// Bytes of the sets of elements of \p Shape that are kept on the device: of structures one for each field,
/// the sets one after the other.
uint64_t setsBytes(const protocol::Buffer &Shape);

/// The elements of a buffer that held the first pattern, were let pass by tolerance, and must not do so with
/// the second pattern; see OutputComparer.
struct UntouchedElements {
  std::vector<uint64_t> OnHost;
  DeviceMemory OnDevice; ///< Sets, as kernels/Bodies.h has them.
};

/// What the two runs of a program left in a buffer that is no in buffer. It lies on the device, out of reach
/// of nobody, but with a hash that tells whether it is still the same; or on the host.
class KeptOutput {
public:
  /// On the host. \p BetweenRuns: how far the second run was from the first.
  KeptOutput(const Gpu &G, const DeviceKernels &Kernels, const protocol::Buffer &Shape, ReferenceOutput Left,
             protocol::Difference BetweenRuns);
  /// On the device: \p First is what the first run left, the second run's is at \p Second. \p Unwritten has
  /// room for setsBytes(). Error: JobFailure.
  static llvm::Expected<std::unique_ptr<KeptOutput>> join(const Gpu &G, const DeviceKernels &Kernels,
                                                          const protocol::Buffer &Shape, DeviceMemory First,
                                                          CUdeviceptr Second, DeviceMemory Unwritten,
                                                          const protocol::Comparison &Tolerance);

  const protocol::Difference &betweenRuns() const { return BetweenRuns; }
  bool isOnDevice() const { return There.has_value(); }
  uint64_t bytes() const; ///< That it takes where it lies.
  /// Whether it is what it was when it was made. Looks only where something was launched since it did last,
  /// or since a buffer was last compared with it: a comparison on the device hashes what it reads.
  llvm::Expected<bool> isIntact() const;
  /// Error: where it is not intact.
  llvm::Error moveToHost();

  /// Compares the buffer at \p Got, which held FillPatterns[\p Run] before. \p Untouched is null for an inout
  /// buffer.
  llvm::Expected<OutputVerdict> compare(CUdeviceptr Got, const protocol::Comparison &By, size_t Run,
                                        UntouchedElements *Untouched) const;
  /// The same in two halves where it lies on the device: the comparisons of fields that are to be made, and
  /// what their findings mean.
  llvm::Expected<std::vector<kernels::CompareRule>> rules(CUdeviceptr Got, const protocol::Comparison &By,
                                                          size_t Run, UntouchedElements *Untouched) const;
  llvm::Expected<OutputVerdict> verdict(llvm::ArrayRef<kernels::CompareRule> Rules,
                                        llvm::ArrayRef<kernels::Findings> Found) const;
  /// On the device, looks that are enough where all elements at \p Got are equal, and whether they are by
  /// what is found: the hash of their bytes, which does not tell whether what is kept is intact; and
  /// structures in one pass. Nothing where fields have to be compared one by one.
  std::optional<kernels::Range> bytesToHash(CUdeviceptr Got) const;
  bool hasHash(const kernels::Findings &Found) const { return Found.Hash == There->Hash; }
  std::optional<kernels::StructuresRule> structuresRule(CUdeviceptr Got) const;
  bool isHeld(const kernels::Findings &Found) const;
  /// Compares what another program left, and which elements. Both lie on the same side.
  llvm::Expected<OutputVerdict> compare(const KeptOutput &Got, const protocol::Comparison &By) const;

private:
  struct Copy {
    DeviceMemory Bytes;
    DeviceMemory Unwritten; ///< Sets; none where all are written.
    uint64_t Hash = 0;
    std::vector<std::optional<double>> MedianMagnitude = {}; ///< Of each field.
    uint64_t SeenAfter = 0;                                  ///< Launches before it was last looked at.
    bool WasIntact = true;                                   ///< Until then.
  };
  struct HostCopy {
    ReferenceOutput Left;
    std::string Hash;
  };
  KeptOutput(const Gpu &G, const DeviceKernels &Kernels, const protocol::Buffer &Shape, Copy There);

  /// What became of one field in a comparison on the device.
  struct FieldFindings {
    kernels::CompareRule Rule;
    kernels::Findings Found;
  };
  static std::vector<FieldFindings> join(llvm::ArrayRef<kernels::CompareRule> Rules,
                                         llvm::ArrayRef<kernels::Findings> Found);
  using SetUp = llvm::function_ref<void(size_t Field, kernels::CompareRule &)>;

  size_t fieldCount() const { return Shape.Type.fields().size(); }
  /// Where the set of the field at \p Field begins; 0 where there are no sets.
  CUdeviceptr setOf(CUdeviceptr Sets, size_t Field) const;
  llvm::Error findUnwritten(CUdeviceptr Second, DeviceMemory &Sets, uint64_t &Missing) const;
  /// For every field a rule, which \p Adapt may change.
  llvm::Expected<std::vector<kernels::CompareRule>>
  fieldRules(CUdeviceptr Got, const protocol::Comparison &By, uint8_t Pattern, SetUp Adapt) const;
  llvm::Expected<std::vector<kernels::Findings>>
  compareFields(llvm::ArrayRef<kernels::CompareRule> Rules) const;
  llvm::Error compareRuns(CUdeviceptr Second, protocol::Comparison By);
  kernels::Elements elements(size_t Field) const;
  llvm::Expected<uint64_t> hashThere() const;
  void noteHash(uint64_t Found) const;
  std::string hashHere() const;
  llvm::Expected<kernels::CompareRule> rule(CUdeviceptr Got, size_t Field, const protocol::Comparison &By,
                                            uint8_t Pattern) const;
  llvm::Expected<OutputVerdict> compareThere(CUdeviceptr Got, const protocol::Comparison &By, size_t Run,
                                             UntouchedElements *Untouched) const;
  llvm::Expected<OutputVerdict> compareHere(CUdeviceptr Got, const protocol::Comparison &By, size_t Run,
                                            UntouchedElements *Untouched) const;
  llvm::Expected<OutputVerdict> describe(llvm::ArrayRef<FieldFindings> Found) const;
  llvm::Expected<OutputVerdict> describe(size_t Field, const FieldFindings &Found) const;
  llvm::Expected<bool> isUnwritten(size_t Field, uint64_t Index) const;
  llvm::Expected<std::optional<std::pair<uint64_t, bool>>> firstInOneSet(CUdeviceptr Own,
                                                                         CUdeviceptr Other) const;
  llvm::Expected<std::optional<protocol::Mismatch>> compareWrittenThere(const KeptOutput &Got) const;
  llvm::Expected<std::string> element(size_t Field, uint64_t Index) const;

  const Gpu &Owner;
  const DeviceKernels &Kernels;
  protocol::Buffer Shape;
  protocol::Difference BetweenRuns;
  mutable std::optional<Copy> There;
  std::optional<HostCopy> Here;

  friend struct KeptBytes; ///< Of tests.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_KEPTOUTPUT_H
