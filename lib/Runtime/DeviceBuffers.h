//===- DeviceBuffers.h - A problem's buffers on the device ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H
#define GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H

#include "Contents.h"
#include "PlacedMemory.h"
#include "gpuprune/Support/LruCache.h"
#include <functional>
#include <map>

namespace gpuprune {

/// A buffer between two guard zones. One with an address has them as far as its granules reach.
class DeviceBuffer {
public:
  /// \p Place has the memory of a buffer with an address, and is not looked at for others.
  static llvm::Expected<std::shared_ptr<DeviceBuffer>> create(const Gpu &G, const DeviceKernels &Kernels,
                                                              const protocol::Buffer &Shape,
                                                              std::shared_ptr<const PlacedMemory> Place);
  CUdeviceptr address() const { return Begin; }
  const protocol::Buffer &shape() const { return Shape; }

  /// Brings the buffer, without its guards, into the state a run starts from.
  llvm::Error prepare(uint8_t Pattern) const;
  /// Brings an inout buffer back to its initial contents.
  llvm::Error restore() const;
  /// Adds both guard zones to \p All.
  void addGuards(std::vector<GuardZone> &All) const;
  /// The memory that has to hold the initial contents: an in buffer's own, or the copy that an inout buffer
  /// is restored from. None of an out buffer, none of one that is made anew by its rule, and none where
  /// nothing was launched since it was last seen unchanged.
  std::optional<BufferContents> contentsToCheck() const;
  void noteUnchanged() const { SeenAfter = Owner.launches(); }
  /// The hash of these contents, once they were seen to be what they have to be.
  std::optional<uint64_t> contentsHash() const { return ContentsHash; }
  void noteContentsHash(uint64_t Hash) const { ContentsHash = Hash; }

private:
  std::optional<BufferContents> contents() const;
  DeviceBuffer(const Gpu &G, const DeviceKernels &Kernels, const protocol::Buffer &Shape)
      : Owner(G), Kernels(Kernels), Shape(Shape), SeenAfter(G.launches()) {}
  const Gpu &Owner;
  const DeviceKernels &Kernels;
  protocol::Buffer Shape;
  llvm::Error allocate();
  DeviceMemory Memory; ///< Empty where there is a Place.
  std::shared_ptr<const PlacedMemory> Place;
  CUdeviceptr Begin = 0;
  PlacedMemory::Room Guards; ///< Bytes of the zones.
  DeviceMemory
      Pristine; ///< An inout buffer's initial contents, to be restored from; empty where it is made anew.
  mutable uint64_t SeenAfter; ///< Launches before it was last known to be unchanged.
  mutable std::optional<uint64_t> ContentsHash;
};

/// The buffers of one problem, in order.
class BufferSet {
public:
  BufferSet(const Gpu &G, const DeviceKernels &Kernels, std::vector<std::shared_ptr<DeviceBuffer>> Buffers)
      : Owner(&G), Kernels(&Kernels), Buffers(std::move(Buffers)) {}
  llvm::ArrayRef<std::shared_ptr<DeviceBuffer>> buffers() const { return Buffers; }
  llvm::Error prepare(uint8_t Pattern) const;
  llvm::Error prepareGuards(uint8_t Pattern) const;
  llvm::Error restore() const;
  std::vector<GuardZone> guards() const;
  llvm::Expected<std::optional<protocol::Mismatch>> checkGuards(uint8_t Pattern) const;
  /// Whether in buffers still hold what they held, and inout buffers would be restored to it. The first look
  /// makes each element again by its rule and takes a hash of what it found right; later ones take the hash,
  /// and where it is another, the rule again says what is wrong.
  llvm::Expected<std::optional<protocol::Mismatch>> checkInputs() const;

private:
  using Stale = std::pair<const DeviceBuffer *, BufferContents>;
  llvm::Expected<std::vector<uint64_t>> hash(llvm::ArrayRef<Stale> Buffers) const;
  llvm::Error dropUnchanged(std::vector<Stale> &Buffers) const;
  llvm::Error noteHashes(llvm::ArrayRef<Stale> Buffers) const;
  const Gpu *Owner;
  const DeviceKernels *Kernels;
  std::vector<std::shared_ptr<DeviceBuffer>> Buffers;
};

/// Keeps buffers on the device between jobs. A buffer's contents are part of
/// its key, so inputs are made once.
class BufferPool {
public:
  /// Where the file is that a job calls by a path.
  using Locator = std::function<std::string(llvm::StringRef)>;
  BufferPool(const Gpu &G, const DeviceKernels &Kernels, Locator Locate)
      : Owner(G), Kernels(Kernels), Locate(std::move(Locate)), Device(UINT64_MAX) {}
  /// Buffers that hold what they should: where one that was kept does not, all are made anew, since nobody
  /// knows which program wrote where it should not. Sets of different \p Copy numbers share no memory, but
  /// for buffers with an address. Error: status memory when they do not fit together, address where the
  /// driver does not give an address, error for a fill that is not possible, or a file that is not what it
  /// was when the job was made.
  llvm::Expected<BufferSet> acquire(const protocol::Problem &P, uint32_t Copy = 0);
  /// The same without a look at what they hold: for a caller who looks later, and knows then whose doing it
  /// is.
  llvm::Expected<BufferSet> acquireUnseen(const protocol::Problem &P) { return acquireAll(P, 0); }
  /// After a program that failed: what it wrote and where is not known, so this is of all problems.
  void forgetContents() { Device.clear(); }
  /// Frees a buffer that no job uses; false where there is none.
  bool evictOne();

private:
  llvm::Expected<BufferSet> acquireAll(const protocol::Problem &P, uint32_t Copy);
  llvm::Expected<std::shared_ptr<DeviceBuffer>> acquireOne(const protocol::Buffer &B, const std::string &Key);
  llvm::Error place(const protocol::Problem &P);

  llvm::Error readFile(protocol::Fill &Of, llvm::StringRef Buffer);

  const Gpu &Owner;
  const DeviceKernels &Kernels;
  Locator Locate;
  std::shared_ptr<const PlacedMemory> Placed; ///< Of the last problem that had buffers with addresses.
  /// By hash: buffers that take from a file keep it.
  std::map<std::string, std::weak_ptr<const DataFile>> Files;
  LruCache<DeviceBuffer> Device; ///< Bounded by the device's memory.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H
