//===- EarlierLaunches.h - What comes before the launch that is tuned ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of a sequence starts from what the launches before it leave, as their author wrote them. On the
// GPU they are part of each program, in front of the launch and outside of its time; on the CPU they run once
// for each size, and what they leave is what the launch's buffers hold.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_EARLIERLAUNCHES_H
#define GPUPRUNE_CHECK_EARLIERLAUNCHES_H

#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace gpuprune {

/// One of them, built alone.
class BuiltLaunch {
public:
  /// \p Number counts from 0. \p All is the target that has this launch and later ones.
  BuiltLaunch(const TuningTarget &All, size_t Number, KeptBuilds *Kept, Variant Chosen = {});

  /// Compiles the kernel as written, by stock clang and prepared, and the chosen variant, where that is
  /// another, and makes their cubins in \p Folder, if there is one. Error: what went wrong, with the number
  /// of the launch.
  llvm::Error build(llvm::StringRef Folder);
  const std::string &kernel() const { return Target.W.tuned().Kernel; }
  llvm::ArrayRef<DeviceVariable> variables() const { return Variables; }
  const BuiltVariant &stock() const { return Stock; }
  const BuiltVariant &prepared() const { return Prepared; }
  const BuiltVariant &chosen() const { return Chosen ? *Chosen : Prepared; }
  /// Runs the prepared kernel on the CPU over \p Problem as \p Author, a launch of it, says, and appends what
  /// each buffer holds then to \p Contents. What it does wrong is an error.
  llvm::Error run(const ResolvedLaunch &Author, const HostProblem &Problem, uint8_t Pattern,
                  std::vector<std::vector<uint8_t>> &Contents);

private:
  size_t Number;
  TuningTarget Target;
  VariantBuilder Builder;
  BuiltVariant Stock{Variant(), /*Stock=*/true}, Prepared{Variant()};
  std::optional<BuiltVariant> Chosen;    ///< Nothing: the prepared one.
  std::vector<DeviceVariable> Variables; ///< Of the file, as the kernel uses them; from when it is built.
  std::unique_ptr<HostProgram> Code;     ///< Made when it runs first.

  llvm::Error blamed(llvm::Error E) const;
};

/// Builds all of \p Launches, \p Jobs at once; 0: as many as there are cores. Error: of the first that
/// failed.
llvm::Error buildLaunches(llvm::ArrayRef<std::unique_ptr<BuiltLaunch>> Launches, llvm::StringRef Folder,
                          unsigned Jobs);

/// Runs \p Launch on the CPU as \p Author, a launch of \p Problem, says, and lets the buffers of \p Problem
/// hold what that leaves, for each of the patterns that out buffers began with. Error: what it does wrong, or
/// why it cannot run there.
llvm::Error runAsWritten(BuiltLaunch &Launch, const ResolvedLaunch &Author, HostProblem &Problem);

class EarlierLaunches {
public:
  /// Those before the tuned launch of \p Target, in a repeat that one's earlier iterations too; none where it
  /// is the only one. \p Jobs at once; 0: as many as there are cores.
  static llvm::Expected<std::unique_ptr<EarlierLaunches>> build(const TuningTarget &Target, KeptBuilds *Kept,
                                                                llvm::StringRef CubinFolder, unsigned Jobs);
  /// By index of Workload::Launches.
  llvm::ArrayRef<std::unique_ptr<BuiltLaunch>> launches() const { return Launches; }
  bool empty() const { return Launches.empty(); }
  /// The same where the same code runs before.
  std::string codeKey() const;
  /// Why the bits that they leave are open, whatever comes then; empty: they are not.
  std::string freedom() const;

  /// The problem \p Shape of the size \p Size, as sizeName() has it, as the tuned launch finds it: buffers
  /// that an earlier launch may have written are inout and hold what it left, which does not depend on the
  /// tuned launch and is found once for each size. An iteration goes on from the nearest one in front of it
  /// that is known. Safe on many threads.
  llvm::Expected<HostProblem> stateBefore(ResolvedProblem Shape, llvm::StringRef Size);

  /// How many launches have been run for this so far.
  uint64_t runs() const { return Runs; }

  /// Input error where one of them writes a variable of those that \p Kernel, a later launch, uses: it would
  /// not see that.
  llvm::Error checkVariables(llvm::StringRef Kernel, llvm::ArrayRef<DeviceVariable> Used) const;

private:
  std::vector<std::unique_ptr<BuiltLaunch>> Launches;
  /// What the memory that begins with the name Memory holds then, where out buffers began with each of the
  /// patterns.
  struct LeftBuffer {
    std::string Memory;
    std::vector<uint8_t> First, Second;
  };
  /// After the first Launches of the program at the size Base, which is without an iteration.
  struct State {
    std::string Base;
    size_t Launches = 0;
    std::vector<LeftBuffer> Left;
  };
  std::mutex Lock;               ///< Of the variables of the programs, of States and Runs.
  llvm::StringMap<State> States; ///< By size.
  uint64_t Runs = 0;

  const State *nearest(llvm::StringRef Base, size_t Launches) const;
  llvm::Error runFrom(size_t First, HostProblem &Problem);
};

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_EARLIERLAUNCHES_H
