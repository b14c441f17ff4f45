//===- MemoryProfile.h - What a kernel's accesses cost, from a sample -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of some blocks of the launch that is tuned, whether the CPU has run them or their PTX has been
// traced, are shown to a MemoryProfiler, which makes requests of them (BlockRequests.h). The requests of a
// block's warps are then put through a model of the L1 cache, in turns: the first of each warp, then the
// second, as if all warps made progress alike. Constants go through caches of an SM's four partitions, which
// the block has for itself: the warps of a block that are served there walk together, since the first one
// waits for each line that is missing until the others have come, and the first only misses. Other blocks are
// elsewhere, and leave nothing of a table that does not fit.
//
// Where loops were left early, what an instruction did stands for all of its executions: its costs are
// scaled to how often a thread executes it. New sectors are scaled by those of the second half of what was
// seen of it, so that a loop that goes on through a buffer counts more and one that stays does not. The
// constant cache is made smaller as what is read of constants is: what a loop that is walked again finds
// there does not depend on how much of it was seen.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_MEMORYPROFILE_H
#define GPUPRUNE_MODEL_MEMORYPROFILE_H

#include "gpuprune/Model/BlockRequests.h"
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
  double Wavefronts = 0;     ///< Of shared memory; of constants: addresses, which are served one by one.
  double MissedSectors = 0;  ///< Not in L1, of loads from global memory,
  double MissedRequests = 0; ///< and requests with at least one such sector.
  double MissedLines = 0;    ///< Of constants: not in the constant cache.
  double SameWord = 0;       ///< Of atomics: most lanes that want one word, summed over requests.
};

struct MemoryProfile {
  std::array<GroupCost, NumAccessGroups> Groups;
  double Threads = 0;       ///< That were run.
  double LoadedBytes = 0;   ///< Bytes in distinct sectors that all of them load,
  double StoredBytes = 0;   ///< and store: scaled to the launch, at most the whole of each buffer.
  double ConstantLines = 0; ///< Distinct lines of 64 bytes that they read of constants.
  double Divergence = 1;    ///< Executions of branches by warps over those by threads, 32 of which are one.
  bool IsCut = false;       ///< Not all of the blocks was run: too long.
  std::string WhyRun;       ///< The CPU has run the blocks, because they cannot be traced: why. Else empty.

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
class RequestShape;

/// For launches with one worker.
class MemoryProfiler {
public:
  /// How often a thread executes the instruction \p Site; nothing where that is not known.
  using ExecutionFinder = std::function<std::optional<double>(uint32_t Site)>;

  /// \p ExecutionsOf: for blocks that have left loops early.
  explicit MemoryProfiler(const ProfiledLaunch &Launch, ExecutionFinder ExecutionsOf = nullptr);
  ~MemoryProfiler();

  /// For HostLaunch::Trace; \p IsConstant: the site is in constant memory.
  void add(const MemoryAccess &Access, bool IsConstant);
  void add(const WarpAccess &Access) { Block.add(Access); }

  /// After each block; \p WasCut: it was ended before its end. \p ThreadsMeet: its threads took turns.
  void finishBlock(bool WasCut, bool ThreadsMeet);

  /// Sectors of all requests so far: what most of the work is.
  uint64_t sectors() const { return Sectors; }

  /// Bytes of the buffer that an address is in, and where that begins; nothing of one that is in none.
  struct Extent {
    uint64_t Begin = 0, Bytes = 0;
  };
  using ExtentFinder = llvm::function_ref<std::optional<Extent>(uint64_t Address)>;
  /// After the last block.
  MemoryProfile finish(ExtentFinder ExtentOf);

private:
  /// Of a memory instruction, over all blocks.
  struct SiteCost {
    AccessGroup Group = AccessGroup::GlobalLoad;
    GroupCost Cost, Late; ///< Late: of what is missed, the part of the second half of each warp's executions.
  };
  struct BranchCost {
    double OfWarps = 0, OfThreads = 0, Executions = 0; ///< Executions by all threads.
  };
  /// A sector or a line of constants, and the instruction that was the first to touch it.
  struct NewUnit {
    enum Kind : uint8_t { Loaded, Stored, Constant };
    uint64_t Number;
    uint32_t Site;
    Kind Is;
    bool IsLate; ///< As SiteCost has it.
  };

  ProfiledLaunch Launch;
  ExecutionFinder ExecutionsOf;
  MemoryProfile Profile;
  BlockRequests Block; ///< That runs.
  std::vector<SiteCost> Sites;
  std::vector<RequestShape> Shapes; ///< By site.
  std::vector<BranchCost> BranchSites;
  llvm::DenseSet<uint64_t> LoadedSectors, StoredSectors, ConstantLines;
  std::vector<NewUnit> New;
  uint64_t Sectors = 0;

  void closeBranches(size_t ThreadsRun);
  void addRequest(const BlockRequest &Request, LineCache &L1, LineCache &Constants);
  double weightOf(uint32_t Site, double Seen, double Threads) const;
  size_t constantLines(llvm::ArrayRef<const BlockRequest *> Requests) const;
  void addScaled(const SiteCost &Of, double Weight);
  double footprint(NewUnit::Kind Kind, double Scale, ExtentFinder ExtentOf,
                   llvm::ArrayRef<double> Weights) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_MEMORYPROFILE_H
