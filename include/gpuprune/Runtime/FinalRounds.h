//===- FinalRounds.h - The fastest are timed once more, together -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jobs are timed one after the other, under clocks and temperatures of their own.
// Once all have a result, the fastest few of each contest and the baseline are
// timed in interleaved rounds of one process; the fastest of all takes part
// twice, which shows what the noise alone makes of a difference. Whoever runs
// the jobs, a tuner or gpuprune-runner with a bundle, runs this one, too:
//
//   FinalRounds Final(Plan);
//   ... Final.add(each job); Final.note(each result);
//   while (std::optional<protocol::Job> J = Final.next())
//     each of Final.settle(result of J) goes where results go
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_FINALROUNDS_H
#define GPUPRUNE_RUNTIME_FINALROUNDS_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace gpuprune {

struct FinalPlan {
  std::string Id;       ///< Of the final's job.
  uint32_t Rounds = 21; ///< 0: no final.
  double Margin = 0.05; ///< How far behind the fastest a time may be and its variant still take part.
  bool operator==(const FinalPlan &) const = default;
};

llvm::json::Value toJSON(const FinalPlan &);
bool fromJSON(const llvm::json::Value &, FinalPlan &, llvm::json::Path);

class FinalRounds {
public:
  explicit FinalRounds(FinalPlan Plan) : Plan(std::move(Plan)) {}
  const FinalPlan &plan() const { return Plan; }
  /// A job that may take part once it has a result: one with contests.
  void add(const protocol::Job &J);
  /// A result of any job; a later one of the same id replaces it.
  void note(const protocol::Result &R);

  /// About what the final would take of the GPU, as far as results are known.
  double expectedMs() const;
  /// The final's job; nothing where there is nobody to take part or all is said.
  /// Its rivals are all who take part, by the ids of their jobs, the fastest so far
  /// first; its candidate is that one once more.
  std::optional<protocol::Job> next();
  /// The result of next(). Where it fails by a contestant's fault, that one's own
  /// result with the failure is returned and the rest may run again; else \p R.
  protocol::Result settle(protocol::Result R);

private:
  struct Entry {
    protocol::Job Work;
    std::optional<double> MedianMs, BaselineMs; ///< Of a result that counts.
    uint32_t Launches = 1;
  };
  FinalPlan Plan;
  std::map<std::string, Entry> Entries; ///< By id.
  std::vector<const Entry *> Running;   ///< The fastest first.
  bool Settled = false;

  std::vector<const Entry *> choose() const;
  std::vector<const Entry *> fastestOf(llvm::StringRef Contest) const;
  double roundMs(llvm::ArrayRef<const Entry *> Chosen) const;
  uint32_t rounds(double RoundMs) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_FINALROUNDS_H
