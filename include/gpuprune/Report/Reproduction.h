//===- Reproduction.h - Whether a recorded launch is what is replayed -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording has a hash of what each allocation held after the launch. Where the kernel as its author wrote
// it leaves the same on the recorded data, the replay is the launch of the program. Sums in no fixed order,
// races and clocks do not give the same twice.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_REPORT_REPRODUCTION_H
#define GPUPRUNE_REPORT_REPRODUCTION_H

#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

/// An allocation or a variable of a recorded launch.
struct Reproduction {
  std::string Buffer;   ///< Its name in the workload.
  std::string Recorded; ///< contentHash of what it held after the launch in the program.
  std::string Found;    ///< The same after the launch here; empty: not known.
  bool isKnown() const { return !Found.empty(); }
  bool isSame() const { return Found == Recorded; }
  bool operator==(const Reproduction &) const = default;
};

/// Whether all of \p Each are the same; nothing where there are none, or where not all are known: what a
/// kernel only reads is known before it has run.
std::optional<bool> isReproduced(llvm::ArrayRef<Reproduction> Each);
/// "2 of 3 recorded contents reproduced, not: allocation1"; empty where isReproduced() is
/// nothing.
std::string reproductionText(llvm::ArrayRef<Reproduction> Each);

/// Asks in \p Problem for those of \p Each that are not known.
void addExpected(llvm::ArrayRef<Reproduction> Each, protocol::Problem &Problem);
/// Takes what the runner said of the author's kernel.
void joinReproduction(llvm::MutableArrayRef<Reproduction> Each, const protocol::Result &Result);

llvm::json::Value toJSON(const Reproduction &R);
bool fromJSON(const llvm::json::Value &Value, Reproduction &R, llvm::json::Path Path);

} // namespace gpuprune

#endif // GPUPRUNE_REPORT_REPRODUCTION_H
