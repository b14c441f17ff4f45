//===- CheckQueue.h - Checks on the CPU that go on behind -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU checks variants while the GPU measures those that it has found right:
//
//   Queue.add(Row, ..., CheckTurn::Now);       what is measured next
//   Queue.add(Other, ..., CheckTurn::Later);   when nothing of that waits
//   if (std::optional<size_t> Place = Queue.awaitFirst({Row, ...}))
//     if (const VariantResult *Found = Queue.await(Row))
//       ... Found->Status, Found->OnCpu          before Row is measured
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_CHECKQUEUE_H
#define GPUPRUNE_CHECK_CHECKQUEUE_H

#include "gpuprune/Check/CpuCheck.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <optional>

namespace gpuprune {

enum class CheckTurn { Now, Later };

/// Checks of one turn begin in the order in which they are added. All but add()'s own work is done by
/// threads of the queue's; its functions are for one thread.
class CheckQueue {
public:
  using Clock = std::chrono::steady_clock;
  /// \p OnStep is told how many checks of how many are done, on any thread, one call at a time.
  using StepFunction = std::function<void(size_t Done, size_t Added)>;

  /// Writes what it finds into \p Row, on any thread: CpuCheck::check().
  using CheckFunction = std::function<void(const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth,
                                           VariantResult &Row)>;

  /// \p Behind: something is measured at the same time. \p Jobs: threads, 0 for as many as there are cores.
  CheckQueue(CheckFunction RunCheck, unsigned Jobs, bool Behind, StepFunction OnStep);
  /// Drops what has not begun and waits for the rest.
  ~CheckQueue();

  /// \p Known: what is known of \p V. A row may come again, with a greater depth or for a turn that is
  /// sooner; where its check runs, that is waited for. Both variants live as long as this.
  void add(size_t Row, const BuiltVariant &V, const BuiltVariant &Reference, CheckDepth Depth,
           const VariantResult &Known, CheckTurn Turn = CheckTurn::Now);
  /// Whether the check of \p Row was ever asked for.
  bool has(size_t Row) const;
  /// Whether it was not, or is over.
  bool isSettled(size_t Row) const;
  /// Waits for the check of \p Row. Null where there is none, it was dropped, or \p Deadline came first.
  const VariantResult *await(size_t Row, std::optional<Clock::time_point> Deadline = std::nullopt);
  /// Waits until one of \p Rows is settled; the first in their order that is, as an index into them. Nothing
  /// where there are none, or \p Deadline came first.
  std::optional<size_t> awaitFirst(llvm::ArrayRef<size_t> Rows,
                                   std::optional<Clock::time_point> Deadline = std::nullopt);
  /// Of what was added so far, what has not begun never will.
  void drop();
  /// CPU time of the checking threads, in milliseconds, that was not told before. What a reference takes on
  /// threads of its own is not in it.
  double takeCpuMs();

private:
  enum class State { Waiting, Running, Done, Dropped };
  struct Check {
    const BuiltVariant *V = nullptr, *Reference = nullptr;
    CheckDepth Depth = CheckDepth::Smallest;
    VariantResult Found;
    State Is = State::Waiting;

    bool isSettled() const { return Is == State::Done || Is == State::Dropped; }
  };
  const CheckFunction RunCheck;
  const bool Behind;
  const StepFunction OnStep;
  mutable std::mutex Lock; ///< Of what follows.
  std::condition_variable Finished;
  std::map<size_t, Check> Checks; ///< By row.
  std::deque<size_t> Now, Later;  ///< Rows that wait.
  size_t Added = 0, Done = 0;
  double CpuMs = 0;
  llvm::DefaultThreadPool Pool; ///< Last: its threads end first.

  Check *beginNext();
  void runNext();
  void finish(Check &C, State Is);
  bool settled(size_t Row) const;
  bool waitFor(std::unique_lock<std::mutex> &Guard, std::optional<Clock::time_point> Deadline,
               llvm::function_ref<bool()> Holds);
};

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_CHECKQUEUE_H
