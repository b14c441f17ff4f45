//===- BlockRequests.h - The requests of a block's warps ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_BLOCKREQUESTS_H
#define GPUPRUNE_MODEL_BLOCKREQUESTS_H

#include "gpuprune/HostExecution/WarpRequests.h"

namespace gpuprune {

/// The k-th execution of an instruction by each lane of a warp, as WarpRequests has it.
struct BlockRequest {
  uint32_t Place = 0; ///< In the order of its warp.
  uint32_t Warp = 0, Site = 0;
  uint32_t Execution = 0; ///< k, from 0.
  uint32_t Lanes = 0;     ///< A bit for each.
  uint32_t Bytes = 0;
  AccessKind Kind = AccessKind::Load;
  bool IsShared = false, IsConstant = false;
  std::array<uint64_t, LanesOfWarp> Addresses{};
};

/// Makes requests of the accesses of one block, whether they come by thread or by warp.
class BlockRequests {
public:
  void add(const WarpAccess &Access);
  /// The threads seen, by the highest.
  size_t threads() const { return Threads; }
  /// Forgets what threads from \p Number on did.
  void dropFrom(size_t Number);

  /// In turns: the first of each warp, then the second.
  std::vector<const BlockRequest *> inTurns() const;
  /// Executions of the branch \p Site by thread.
  std::vector<std::vector<uint32_t>> Branches;
  /// How often a warp has executed \p Site: its requests.
  size_t executions(uint32_t Site, uint32_t Warp) const { return Sites[Site][Warp].Requests.size(); }

private:
  using Counters = std::array<uint32_t, LanesOfWarp>;
  struct SiteOfWarp {
    Counters Executions{};          ///< By lane.
    std::vector<uint32_t> Requests; ///< By execution.
  };

  std::vector<BlockRequest> Requests;
  std::vector<std::vector<SiteOfWarp>> Sites; ///< By site and warp.
  std::vector<Counters> Places;               ///< Accesses so far, by warp and lane.
  size_t Threads = 0;

  void addBranch(const WarpAccess &Access);
  BlockRequest &request(const WarpAccess &Access, uint32_t Execution);
};

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_BLOCKREQUESTS_H
