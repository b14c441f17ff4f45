//===- ReferenceStore.h - What programs leave that others are compared with ==//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H
#define GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H

#include "DeviceBuffers.h"
#include "KeptOutput.h"
#include "LoadedProgram.h"
#include "gpuprune/Support/LruCache.h"

namespace gpuprune {

/// Enqueues a run of \p Program over out buffers, guard zones and shared memory that hold the patterns of run
/// \p Run, the first (0) or the second (1). \p Around, if given, are events around the last kernel.
llvm::Error enqueueOverPatterns(const DeviceKernels &Kernels, const LoadedProgram &Program,
                                const BufferSet &Buffers, size_t Run, const EventPair *Around = nullptr);
/// The same, and waits for it.
llvm::Error runOverPatterns(const Gpu &G, const DeviceKernels &Kernels, const LoadedProgram &Program,
                            const BufferSet &Buffers, size_t Run);

/// An in buffer or a symbol that does not hold any more what it held before \p Program ran.
llvm::Expected<std::optional<protocol::Mismatch>>
findChangedInput(const DeviceKernels &Kernels, const LoadedProgram &Program, const BufferSet &Buffers);

/// What is said of a program after which memory is another that is of none of its buffers.
protocol::Mismatch writesElsewhere();

/// What a program left after its two runs.
struct ReferenceSet {
  std::vector<std::unique_ptr<KeptOutput>> Outputs; ///< Buffer by buffer; null for in buffers.
  /// A guard zone or an input that it changed: then there is nothing else.
  std::optional<protocol::Mismatch> Misdeed;

  bool isOnDevice() const;
  llvm::Expected<bool> isIntact() const;
  /// The same where a kernel may write there by mistake; true on the host, where looking costs more than a
  /// comparison.
  llvm::Expected<bool> isIntactOnDevice() const;
  llvm::Error moveToHost();
  uint64_t bytes() const;
};

/// Keeps what programs left, found again by their content: on the device while it has room for them, then on
/// the host.
class ReferenceStore {
public:
  ReferenceStore(const Gpu &G, const DeviceKernels &Kernels, uint64_t HostBudget)
      : Owner(G), Kernels(Kernels), OnDevice(UINT64_MAX), OnHost(HostBudget) {}

  /// Moves the set that nobody uses and that was not used for longest to the host; false where there is none.
  bool moveOneToHost();
  /// Moves the set under \p Key.
  llvm::Error moveToHost(const std::string &Key);
  /// Bytes that had to be moved to the host, or to stay there, for lack of memory on the device.
  uint64_t bytesOnHost() const { return BytesOnHost; }

  /// Equal for equal buffers. \p Tolerance counts, since the difference between two runs knows it.
  static std::string settingOf(const protocol::Problem &P, const protocol::Comparison &Tolerance);
  /// Equal for programs that do the same in the same \p Setting, as settingOf() has it.
  static std::string keyOf(const LoadedProgram &Program, llvm::StringRef Setting);
  /// Runs \p Program where nothing is kept under \p Key. Error: the program's failure.
  llvm::Expected<std::shared_ptr<ReferenceSet>> get(const std::string &Key, const LoadedProgram &Program,
                                                    const BufferSet &Buffers,
                                                    const protocol::Comparison &Tolerance);
  /// Says that \p Key leaves in every bit what \p Same does, and keeps it only once.
  void unite(const std::string &Key, const std::string &Same);
  void forget(const std::string &Key);
  /// Whether get() need not run a program.
  bool keeps(const std::string &Key) { return findKept(Key) != nullptr; }

private:
  /// Room for what a buffer's first run leaves and for the set of what it does not write.
  struct Room {
    DeviceMemory First, Unwritten;
    uint64_t Hash = 0; ///< Of First.
  };
  std::shared_ptr<ReferenceSet> find(const std::string &Key);
  std::shared_ptr<ReferenceSet> findKept(const std::string &Key);
  void drop(const std::string &Key);
  void keepOnHost(const std::string &Key, const std::shared_ptr<ReferenceSet> &Set);
  llvm::Expected<std::optional<std::vector<Room>>> roomFor(const BufferSet &Buffers);
  llvm::Expected<std::shared_ptr<ReferenceSet>> run(const LoadedProgram &Program, const BufferSet &Buffers,
                                                    const protocol::Comparison &Tolerance);
  llvm::Error keepFirstRun(const BufferSet &Buffers, std::vector<Room> &Rooms);
  llvm::Expected<bool> isFirstRunIntact(const BufferSet &Buffers, llvm::ArrayRef<Room> Rooms);
  llvm::Error joinOnDevice(std::vector<Room> &Rooms, const BufferSet &Buffers,
                           const protocol::Comparison &Tolerance, ReferenceSet &Set);
  llvm::Error joinOnHost(std::vector<std::vector<uint8_t>> First, const BufferSet &Buffers,
                         const protocol::Comparison &Tolerance, ReferenceSet &Set);

  const Gpu &Owner;
  const DeviceKernels &Kernels;
  LruCache<ReferenceSet> OnDevice; ///< Bounded by the device's memory.
  LruCache<ReferenceSet> OnHost;
  llvm::StringMap<std::string> United;
  uint64_t BytesOnHost = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_REFERENCESTORE_H
