//===- DeviceKernels.h - The runner's own kernels -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills and compares memory on the device, so that only what is found travels. kernels/Bodies.h says what
// each kernel does.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_DEVICEKERNELS_H
#define GPUPRUNE_LIB_RUNTIME_DEVICEKERNELS_H

#include "Gpu.h"
#include "kernels/Structures.h"
#include <array>

namespace gpuprune {

/// The bytes that shared memory holds before the first and the second run of a check. As numbers of every
/// floating-point type they are finite and large, of either sign, so that neither a sum nor a minimum or a
/// maximum swallows them both.
inline constexpr std::array<uint8_t, 2> SharedPatterns = {0x77, 0xF7};

/// \p Count elements of \p Type side by side at \p At.
kernels::Elements elementsAt(CUdeviceptr At, ElementType Type, uint64_t Count);
/// The field at \p Field of \p Count elements of \p Type at \p At.
kernels::Elements elementsAt(CUdeviceptr At, const ElementLayout &Type, size_t Field, uint64_t Count);
/// \p Contents, which are valid, of elements of \p Type.
kernels::FillRule fillRule(ElementType Type, const protocol::Fill &Contents);
/// \p Byte in each of the bytes at \p At.
kernels::FillCheck bytesOf(CUdeviceptr At, uint64_t Bytes, uint8_t Byte);
/// 32-bit words of a set of so many elements.
inline uint64_t setBytes(uint64_t Count) { return (Count + 31) / 32 * 4; }

/// Every call may be made only where problem() is empty, but for fillShared. Errors are those of the driver,
/// JobFailure.
class DeviceKernels {
public:
  explicit DeviceKernels(const Gpu &G);
  ~DeviceKernels();
  DeviceKernels(const DeviceKernels &) = delete;
  DeviceKernels &operator=(const DeviceKernels &) = delete;

  /// Why the driver does not take them; empty: it does.
  const std::string &problem() const { return Problem; }
  bool areLoaded() const { return Problem.empty(); }

  /// Enqueues writing over the shared memory of all multiprocessors: a program that reads what it has not
  /// written is right by chance where the kernel before it was one like it. Nothing where there is a problem.
  llvm::Error fillShared(uint8_t Pattern) const;
  /// Enqueues filling \p E.
  llvm::Error fill(const kernels::Elements &E, const kernels::FillRule &F) const;
  llvm::Error fillZones(llvm::ArrayRef<kernels::Zone> Zones) const;

  /// For each of \p Checks what does not hold what it should.
  llvm::Expected<std::vector<kernels::Findings>> checkFills(llvm::ArrayRef<kernels::FillCheck> Checks) const;
  /// Adds to the set of \p R, and finds how many are not written.
  llvm::Expected<kernels::Findings> findUnwritten(const kernels::Runs &R) const;
  llvm::Expected<kernels::Findings> compare(const kernels::CompareRule &C) const;
  /// For each of \p Ranges what tells whether its bytes are still the same.
  llvm::Expected<std::vector<uint64_t>> hash(llvm::ArrayRef<kernels::Range> Ranges) const;
  /// The median magnitude of the elements outside of the set \p Unwritten, as completeTolerance() takes it.
  llvm::Expected<double> medianMagnitude(const kernels::Elements &E, CUdeviceptr Unwritten) const;

private:
  friend class Looks;
  enum Kernel {
    Fill,
    FillZones,
    CheckFill,
    CheckInvolvedFill,
    FindUnwritten,
    Compare,
    CompareStructures,
    Hash,
    Magnitudes,
    FillShared,
    NumKernels
  };
  llvm::Error loadModule();
  llvm::Error load();
  uint64_t mostThreads() const; ///< Of a grid.
  /// \p Rows of so many \p Blocks.
  llvm::Error launch(Kernel K, uint64_t Blocks, unsigned Rows, unsigned DynamicShared,
                     llvm::ArrayRef<const void *> Params) const;
  llvm::Error launchOver(Kernel K, uint64_t Elements, llvm::ArrayRef<const void *> Params,
                         unsigned Rows = 1) const;
  template <typename Given, typename Size>
  llvm::Error launchBatches(Kernel K, llvm::ArrayRef<Given> All, CUdeviceptr To, size_t FoundBytes,
                            Size ElementsOf) const;
  template <typename Given, typename Found, typename Size>
  llvm::Expected<std::vector<Found>> inBatches(Kernel K, llvm::ArrayRef<Given> All, Size ElementsOf) const;
  template <typename T> llvm::Error fetch(T *To, CUdeviceptr From, size_t Count) const;
  using StepCounts = std::array<uint64_t, kernels::StepLimits>;
  llvm::Expected<StepCounts> countMagnitudes(const kernels::Elements &E, CUdeviceptr Unwritten,
                                             uint32_t First, uint32_t Width) const;
  llvm::Expected<kernels::Findings> findOne(Kernel K, uint64_t Elements, const void *Rule) const;

  const Gpu &Owner;
  CUmodule Module = nullptr;
  std::array<CUfunction, NumKernels> Functions = {};
  int SharedBytes = 0; ///< That a block may have.
  // Allocated once, so that a comparison needs none.
  DeviceMemory Results;  ///< Findings, hashes or counts.
  DeviceMemory Enqueued; ///< What Looks find.
  std::string Problem;
};

/// Looks at memory that are enqueued one after the other and waited for together. Only one object at a time.
class Looks {
public:
  explicit Looks(const DeviceKernels &Kernels) : Kernels(Kernels) {}
  /// As DeviceKernels::checkFills(), by simple rules.
  llvm::Error checkFills(llvm::ArrayRef<kernels::FillCheck> Checks);
  /// As DeviceKernels::compare().
  llvm::Error compare(const kernels::CompareRule &C);
  llvm::Error compare(const kernels::StructuresRule &C);
  /// As DeviceKernels::hash(), which becomes the findings' hash.
  llvm::Error hash(const kernels::Range &R);
  /// Waits for the GPU, also where nothing was enqueued. Of all, in the order in which they were enqueued.
  llvm::Expected<std::vector<kernels::Findings>> findings();

private:
  llvm::Expected<CUdeviceptr> roomFor(size_t Count);
  llvm::Error fetch();
  const DeviceKernels &Kernels;
  std::vector<kernels::Findings> Found;
  size_t Pending = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_DEVICEKERNELS_H
