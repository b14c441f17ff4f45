//===- Coarsening.h - What is coarsened, and how replicas are numbered ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One engine coarsens blocks and threads. A physical block (thread) does the
// work of several logical ones, its replicas. The steps, on a copy of the kernel
// that takes its place only if none of them refuses (CoarsenKernel.cpp):
//
//   grid guard   keeps surplus replicas out, where any grid may be launched
//                                                                (GridGuard.cpp)
//   legality     what cannot be right whatever depends on what  (Legality.cpp)
//   fast path    kernel twice: for threads all of whose replicas pass the guards,
//                and for the others, replica by replica         (FastPath.cpp)
//   loops        that replicas leave at different times twice: while all go on, and
//                for the rest of each                           (SplitLoops.cpp)
//   a dimension after the other:
//     plan       what differs between replicas                  (ReplicaPlan.cpp)
//     replicate  jammed where control is the same for all, one replica after the
//                other where it is not                          (Replicator.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_COARSENING_H
#define GPUPRUNE_LIB_TRANSFORMS_COARSENING_H

#include "Facts/Operations.h"
#include "PrivateShared.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuprune {

struct ReplicaPlan;
struct ThreadCoarsenOptions;

enum class CoarseUnit { Block, Thread };

/// How the replicas' indices follow from the physical one.
enum class ReplicaOrder {
  Neighbours, ///< Replica r of physical index i is i * factor + r.
  Strided,    ///< i + r * (physical extent).
};

struct Coarsening {
  CoarseUnit Unit = CoarseUnit::Block;
  std::array<unsigned, 3> Factor{1, 1, 1};
  ReplicaOrder Order = ReplicaOrder::Neighbours;
  SharedLayout Layout = SharedLayout::Blocked; ///< Blocks only: threads share their arrays.
  bool OneByOne = false;                       ///< Replicas one after another instead of jammed.
  bool SplitLoops = true;                      ///< Also loops that replicas leave at different times.
  bool AnyGrid = false;                        ///< Blocks only: the grid need not be divisible.
  bool JointSums = false;                      ///< Blocks only: replicas share arrays of sums (JointSums.h).
  llvm::StringRef Noun = "block";              ///< "block" or "thread", for messages.

  bool blocks() const { return Unit == CoarseUnit::Block; }
  /// All replicas; saturates.
  uint64_t replicas() const;
  llvm::Intrinsic::ID indexRegister(unsigned Dimension) const;
  llvm::Intrinsic::ID extentRegister(unsigned Dimension) const;
};

/// Code that the dimensions still to be replicated leave alone.
struct Untouched {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Blocks; ///< Replica by replica already.
  /// Reads of special registers that mean the physical index or extent.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Reads;
};

/// Emits the indices that replicas have in one dimension.
class ReplicaIndices {
public:
  /// \p Physical reads the register. Extents read for it go to \p Skip.
  ReplicaIndices(llvm::IRBuilder<> &B, const Coarsening &C, unsigned Dimension, llvm::Value &Physical,
                 Untouched &Skip);
  llvm::Value *first() const { return First; }
  /// The index of replica \p R, an i32.
  llvm::Value *at(llvm::Value *R) const;

private:
  llvm::IRBuilder<> &B;
  const Coarsening &C;
  llvm::Value *First;
  llvm::Value *Stride = nullptr; ///< Null: 1.
};

Coarsening coarseningOf(const BlockCoarsenOptions &Options);
Coarsening coarseningOf(const ThreadCoarsenOptions &Options);

/// Is shown the plan of each dimension and the kernel that it is for, right before it is carried out.
using PlanWatcher =
    llvm::function_ref<void(llvm::Function &Kernel, const Untouched &Skip, const ReplicaPlan &Plan)>;

/// Coarsens \p F, or refuses and leaves it as it is; the launch contract
/// (LaunchContract.h) on it then says what is to be launched. A kernel that gets hidden
/// parameters is another function of the same name, and \p F is gone.
Verdict coarsenKernel(
    llvm::Function &F, const Coarsening &C,
    PlanWatcher Watch = [](llvm::Function &, const Untouched &, const ReplicaPlan &) {});

/// Whether the module has an atomic operation that \p Takes.
bool hasAtomics(const llvm::Module &M, llvm::function_ref<bool(const llvm::AtomicRMWInst &)> Takes);

/// Lets what ends a thread of \p F return instead, so that what follows is not ended, too.
void returnInsteadOfExit(llvm::Function &F);

/// What later passes expect of \p F: simplified loops, in LCSSA form; no blocks that splitting left.
void restoreForm(llvm::Function &F);

/// The option loops=jam|apart.
template <typename OptionsT> PassOption<OptionsT> loopsOption() {
  return choiceOption({"loops", "jam|apart", OptionMeaning::Manner}, &OptionsT::LoopsApart,
                      Shown::UnlessDefault);
}

/// Lets the assumptions of kernels be found anew: their cache is never invalidated.
void forgetAssumptions(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

/// Refuses what is wrong whatever depends on the replica: see BlockCoarsen.h and
/// ThreadCoarsen.h.
Verdict checkLegality(llvm::Function &F, const Coarsening &C);

/// Refuses DependentBarrier, where replicas come to \p Barriers of \p F one after another,
/// unless these are blocks whose threads are proved to come to them all alike. The two
/// texts say why not: of threads, of blocks.
Verdict checkReachedAlike(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Barriers,
                          const Coarsening &C, llvm::StringRef WhyNoThreads,
                          llvm::StringRef WhyNotTheseBlocks);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_COARSENING_H
