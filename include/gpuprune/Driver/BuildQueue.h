//===- BuildQueue.h - From variants to cubins --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants are compiled and assembled portion by portion, each by all threads: those
// that differ in gpu-registers alone by one thread after another (CompileReuse.h), and
// many in one run of ptxas. While a portion is assembled the next is compiled. Which of
// several equal programs is the one that counts does not depend on who was faster: it is in the
// first portion that has one, and there as SameProgram.h says.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_BUILDQUEUE_H
#define GPUPRUNE_DRIVER_BUILDQUEUE_H

#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <condition_variable>
#include <deque>

namespace gpuprune {

class BuildQueue {
public:
  struct Plan {
    unsigned Jobs = 0; ///< Threads; 0: as many as there are cores.
    std::string CubinFolder;
    size_t FirstNumber = 0;        ///< Of a variant in names of files and symbols.
    bool KeepsTwins = false;       ///< Variants of equal machine code stay apart.
    const Budget *Limit = nullptr; ///< Outlives the queue. What it leaves no time for is skipped.
    /// Told of each variant that is compiled, or assembled, on any thread.
    std::function<void()> OnStep = [] {};
  };

  BuildQueue(const VariantBuilder &Builder, Plan Asked);
  /// Leaves out what has not begun, and waits for the rest.
  ~BuildQueue();

  /// Compiles \p Variants in this order; what comes out, and whose twin it is, stands in their rows.
  void compile(llvm::ArrayRef<BuiltVariant *> Variants);
  /// Assembles those of them that can be and are no twins.
  void assemble(llvm::ArrayRef<BuiltVariant *> Variants);

  /// Builds \p Variants on threads of its own, behind all else, and behind those it was asked for before.
  /// They live as long as the queue, and nobody looks at one before takeBuilt() has returned it.
  void begin(std::vector<BuiltVariant *> Variants);
  /// Those that were built since it was last asked, in their order.
  std::vector<BuiltVariant *> takeBuilt();
  /// Whether takeBuilt() will return nothing more than it would now.
  bool isFinished();
  /// Waits until there are such, or nothing is left to build; false then.
  bool awaitBuilt();
  /// CPU time that building took so far, in milliseconds, with ptxas: of threads and of child processes since
  /// this was made. Building counts itself when a task ends.
  double cpuMs() const;

private:
  struct Assembling {
    BuiltVariant *V;
    size_t Number;                    ///< As Plan::FirstNumber has it.
    std::optional<Assembled> *OfText; ///< In OfTexts; nothing: ptxas has not decided yet.
  };

  const VariantBuilder &Builder;
  const Plan Asked;
  CompileReuse Known;
  llvm::StringMap<size_t> ByPtx, ByCode; ///< As KnownPrograms (SameProgram.h).
  /// What ptxas made, by symbol and PTX. Variants with another launch, or other defines, may be the same to
  /// it.
  llvm::StringMap<std::optional<Assembled>> OfTexts;
  std::vector<Assembling> New;   ///< What is being assembled.
  std::vector<Assembling> Alike; ///< What is the same to ptxas.
  std::atomic<int64_t> ThreadCpuUs = 0;
  std::atomic<bool> Stopped = false;
  bool Behind = false;
  const double ChildrenCpuBefore;
  size_t NextNumber;

  std::mutex Lock; ///< Of what follows.
  std::condition_variable Built;
  std::deque<BuiltVariant *> Ready;
  bool Finished = true;
  llvm::thread Thread;

  unsigned threads() const;
  bool over(bool (Budget::*What)() const) const;
  void skip(BuiltVariant &V) const;
  void compileFamily(llvm::ArrayRef<BuiltVariant *> Family);
  void assembleBatch(llvm::ArrayRef<Assembling> Batch);
  void findTwinsByCode(llvm::ArrayRef<BuiltVariant *> Variants);
  void compileOn(llvm::ThreadPoolTaskGroup &Tasks, llvm::ArrayRef<BuiltVariant *> Variants);
  void assembleOn(llvm::ThreadPoolTaskGroup &Tasks, llvm::ArrayRef<BuiltVariant *> Variants);
  /// Once these tasks are over.
  void assembleAlike();
  void buildAll(llvm::ArrayRef<BuiltVariant *> Variants);
  void release(llvm::ArrayRef<BuiltVariant *> Variants, bool IsLast);
};

/// \p Variants in families that differ in gpu-registers alone, in the order of their first.
std::vector<std::vector<BuiltVariant *>> familiesOf(llvm::ArrayRef<BuiltVariant *> Variants);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_BUILDQUEUE_H
