//===- WarpRequests.h - What the accesses of a warp cost the memory ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is one memory instruction executed by one warp. Global memory serves
// it in sectors of 32 bytes, shared memory in wavefronts: each of its 32 banks
// gives one word of 4 bytes in a wavefront, to all lanes that want that word.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_WARPREQUESTS_H
#define GPUPRUNE_HOSTEXECUTION_WARPREQUESTS_H

#include "gpuprune/HostExecution/MemoryAccess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <deque>
#include <map>
#include <vector>

namespace gpuprune {

inline constexpr unsigned LanesOfWarp = 32;
inline constexpr unsigned SectorBytes = 32;
inline constexpr unsigned SharedBanks = 32;
inline constexpr unsigned BankBytes = 4;

/// What one lane accesses in a request.
struct LaneAccess {
  uint64_t Address = 0;
  uint32_t Bytes = 0;
  unsigned Lane = 0;
};

/// The numbers of all units of \p Unit bytes that \p Lanes touch, each once, in ascending order.
llvm::SmallVector<uint64_t, 64> unitsOf(llvm::ArrayRef<LaneAccess> Lanes, uint64_t Unit);

/// Distinct sectors that \p Lanes touch.
unsigned countSectors(llvm::ArrayRef<LaneAccess> Lanes);

/// The fewest sectors that hold as many bytes as \p Lanes touch, each byte once.
unsigned fewestSectors(llvm::ArrayRef<LaneAccess> Lanes);

/// Wavefronts of shared memory for \p Lanes. Accesses of 8 bytes are served half a
/// warp at a time, those of 16 a quarter; loads a whole and half a warp at a time where
/// every lane wants what lane^1 wants, or every lane what lane^2 wants (measured on an
/// H200, docs/explain.md). The same word is free for loads and stores; lanes of an
/// atomic that hit the same word wait for each other.
unsigned countWavefronts(llvm::ArrayRef<LaneAccess> Lanes, AccessKind Kind);

/// Wavefronts if the same bytes lay without conflicts.
unsigned fewestWavefronts(llvm::ArrayRef<LaneAccess> Lanes, AccessKind Kind);

/// Different addresses, of which constant memory serves one at a time (CUDA C++ Programming Guide, section
/// "Device Memory Accesses").
unsigned countAddresses(llvm::ArrayRef<LaneAccess> Lanes);

/// How many bytes each lane's access lies behind that of the lane before it, where that is the same for all
/// of at least two lanes; 0: not so, or all access the same.
int64_t strideOf(llvm::ArrayRef<LaneAccess> Lanes);

/// Sums over the requests of an instruction.
struct RequestTotals {
  uint64_t Requests = 0;
  uint64_t Lanes = 0;                            ///< That took part, over all requests.
  uint64_t FullLanes = 0;                        ///< Threads that the requests' warps have.
  uint64_t Bytes = 0;                            ///< That lanes asked for.
  unsigned Width = 0;                            ///< Bytes of the widest access.
  uint64_t Address = 0;                          ///< Of one of the accesses.
  uint64_t Sectors = 0, FewestSectors = 0;       ///< Global memory.
  uint64_t Wavefronts = 0, FewestWavefronts = 0; ///< Shared memory.
  uint64_t Addresses = 0;                        ///< Global and constant memory: different ones in a request.
  int64_t Stride = 0;                            ///< That of the first request that has one, in bytes,
  uint64_t Strided = 0;                          ///< and how many requests have it.
  uint64_t Misaligned = 0;                       ///< Requests without gaps that begin inside a sector.
  uint64_t Divergent = 0;                        ///< Branches whose lanes go different ways.

  RequestTotals &operator+=(const RequestTotals &Other);
};

/// Puts the accesses of a launch together to requests: the k-th execution of an
/// instruction by each lane of a warp is one. That is what the GPU does where
/// control is the same for the lanes of a warp; where lanes skip an instruction in
/// some iterations of a loop, it is an approximation. For launches with one worker:
/// not for several threads at once.
class WarpRequests {
public:
  explicit WarpRequests(uint64_t ThreadsPerBlock) : ThreadsPerBlock(ThreadsPerBlock) {}

  /// For HostLaunch::Trace.
  void add(const MemoryAccess &Access);
  /// After the launch.
  void finish() { closeBlock(); }

  /// By site and by the memory its addresses turned out to be in.
  using Key = std::pair<uint32_t, AccessSpace>;
  const std::map<Key, RequestTotals> &totals() const { return Totals; }

private:
  /// An instruction as one warp has executed it so far.
  struct OpenSite {
    std::array<uint64_t, LanesOfWarp> Executions{};
    uint64_t First = 0; ///< Which execution Requests.front() is.
    std::deque<std::vector<LaneAccess>> Requests;
    AccessKind Kind = AccessKind::Load;
  };
  using OpenKey = std::pair<Key, uint32_t>; ///< And the warp.

  uint64_t ThreadsPerBlock;
  uint64_t Block = 0;
  std::map<OpenKey, OpenSite> Open;
  std::map<Key, RequestTotals> Totals;

  unsigned lanesOf(uint32_t Warp) const;
  void close(const OpenKey &Of, AccessKind Kind, llvm::ArrayRef<LaneAccess> Lanes);
  void closeBlock();
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_WARPREQUESTS_H
