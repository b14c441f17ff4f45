//===- MemoryProfile.h - What a kernel's accesses cost, from a sample -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some blocks of the launch that is tuned are run on the CPU, and each access is shown to a
// MemoryProfiler. Accesses of a warp's lanes become requests: the k-th execution of an
// instruction by each lane is one (as WarpRequests has it). The requests of a block's warps
// are then put through a model of the L1 cache, in turns: the first of each warp, then the
// second, as if all warps made progress alike.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_MEMORYPROFILE_H
#define GPUPRUNE_MODEL_MEMORYPROFILE_H

#include "gpuprune/HostExecution/WarpRequests.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune {

enum class AccessGroup : uint8_t {
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,
  SharedLoad,
  SharedStore,
  SharedAtomic,
  ConstantLoad,
};
inline constexpr size_t NumAccessGroups = 7;

/// Sums over the requests of a group.
struct GroupCost {
  double LaneAccesses = 0;
  double Requests = 0;
  double Sectors = 0;        ///< Of 32 bytes, each once a request.
  double Lines = 0;          ///< Of 128 bytes, likewise.
  double Wavefronts = 0;     ///< Of shared memory.
  double MissedSectors = 0;  ///< Not in L1, of loads from global memory,
  double MissedRequests = 0; ///< and requests with at least one such sector.
  double MissedLines = 0;    ///< Of constants: not in the constant cache, which a warp has for itself here.
  double SameWord = 0;       ///< Of atomics: most lanes that want one word, summed over requests.
};

struct MemoryProfile {
  std::array<GroupCost, NumAccessGroups> Groups;
  double Threads = 0;     ///< That were run.
  double LoadedBytes = 0; ///< Bytes in distinct sectors that all of them load,
  double StoredBytes = 0; ///< and store: scaled to the launch, at most the whole of each buffer.
  double Divergence = 1;  ///< Executions of branches by warps over those by threads, 32 of which are one.
  bool IsCut = false;     ///< Not all of the blocks was run: too long.

  const GroupCost &operator[](AccessGroup G) const { return Groups[size_t(G)]; }
  GroupCost &operator[](AccessGroup G) { return Groups[size_t(G)]; }
};

/// What the profile scales to.
struct ProfiledLaunch {
  uint64_t ThreadsPerBlock = 0;
  uint64_t Blocks = 0;          ///< Of the whole grid.
  uint64_t ResidentThreads = 0; ///< Of an SM, which share its L1.
  uint64_t L1Bytes = 0;
};

class LineCache;

/// For launches with one worker.
class MemoryProfiler {
public:
  explicit MemoryProfiler(const ProfiledLaunch &Launch) : Launch(Launch) {}

  /// An access, as its thread keeps it.
  struct Event {
    uint32_t Site;
    AccessGroup Group;
    uint32_t Bytes;
    uint64_t Address;
  };

  /// For HostLaunch::Trace; \p IsConstant: the site is in constant memory.
  void add(const MemoryAccess &Access, bool IsConstant);

  /// After each block; \p WasCut: it was ended before its end. \p ThreadsMeet: its threads took turns.
  void finishBlock(bool WasCut, bool ThreadsMeet);

  /// Bytes of the buffer that an address is in, and where that begins; nothing of one that is in none.
  struct Extent {
    uint64_t Begin = 0, Bytes = 0;
  };
  /// After the last block.
  MemoryProfile finish(llvm::function_ref<std::optional<Extent>(uint64_t Address)> ExtentOf);

private:
  using Lane = std::vector<Event>;

  ProfiledLaunch Launch;
  MemoryProfile Profile;
  std::vector<Lane> Threads;                   ///< Of the block that runs, by their numbers.
  std::vector<std::vector<uint64_t>> Branches; ///< By site and thread: how often it was executed.
  llvm::DenseSet<uint64_t> LoadedSectors, StoredSectors;
  double WarpBranches = 0, ThreadBranches = 0;
  llvm::DenseSet<uint64_t> ConstantLines;

  void closeBranches(size_t ThreadsRun);
  void addRequest(AccessGroup Group, llvm::ArrayRef<LaneAccess> Lanes, LineCache &L1, LineCache &Constants);
  double footprint(const llvm::DenseSet<uint64_t> &Sectors, double Scale,
                   llvm::function_ref<std::optional<Extent>(uint64_t Address)> ExtentOf) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_MEMORYPROFILE_H
