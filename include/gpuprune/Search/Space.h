//===- Space.h - The variants to consider ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space is a product of dimensions, thinned by constraints. Every kind of
// dimension has one interface: it has values, and each value contributes
// something to the text of a variant.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SPACE_H
#define GPUPRUNE_SEARCH_SPACE_H

#include "gpuprune/Search/Variant.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <functional>
#include <memory>

namespace gpuprune {

/// A variant while its dimensions are being chosen.
struct VariantDraft {
  Variant Text;                                ///< Defines and block.
  llvm::StringMap<llvm::StringRef> Parameters; ///< Values of the pipeline's placeholders.
};

/// One independent choice.
class Dimension {
public:
  virtual ~Dimension() = default;
  llvm::StringRef name() const { return Name; }
  llvm::ArrayRef<std::string> values() const { return Values; }
  /// Adds the value number \p Index to \p Draft. \p Draft does not outlive this.
  virtual void choose(size_t Index, VariantDraft &Draft) const = 0;

protected:
  Dimension(std::string Name, std::vector<std::string> Values)
      : Name(std::move(Name)), Values(std::move(Values)) {}

private:
  std::string Name;
  std::vector<std::string> Values;
};

/// A macro of the source: contributes -DNAME=VALUE.
std::unique_ptr<Dimension> makeDefineDimension(const DefineSpec &Define);
/// A placeholder of the pipeline.
std::unique_ptr<Dimension> makeParameterDimension(std::string Name, std::vector<std::string> Values);
/// Block shapes; nullopt is the launch's own, which no variant names.
std::unique_ptr<Dimension> makeBlockDimension(std::vector<std::optional<Dim3>> Blocks);

/// What became of the product of all dimensions.
struct Enumeration {
  std::vector<Variant> Variants; ///< Texts differ; the first dimension changes slowest.
  uint64_t Combinations = 0;     ///< The whole product: the sum of this and the next two.
  uint64_t RemovedByConstraints = 0;
  uint64_t Duplicates = 0; ///< Texts seen before, such as a layout of no copies.
};

class Space {
public:
  /// The most combinations a space may have; more is an error.
  static constexpr uint64_t MaxCombinations = 10'000'000;

  /// \p Pipeline holds {name} where the value of a parameter goes. A parameter
  /// of a pass whose value holds the placeholder of `none` is left out; an element all of
  /// whose placeholders are `none` is left out whole.
  Space(std::vector<PassElement> Pipeline, std::vector<std::unique_ptr<Dimension>> Dimensions,
        std::vector<Expression> Constraints, Environment Sizes);

  /// Lets \p Finish have the last word on each variant's text.
  void finishWith(std::function<void(Variant &)> Finish) { this->Finish = std::move(Finish); }

  llvm::ArrayRef<std::unique_ptr<Dimension>> dimensions() const { return Dimensions; }
  std::string pipeline() const { return printPipeline(Pipeline); }

  /// All variants, the same ones in the same order each time. An error of kind
  /// Input where a constraint cannot be evaluated.
  llvm::Expected<Enumeration> enumerate() const;

private:
  llvm::Expected<bool> accepts(llvm::ArrayRef<size_t> Choice) const;
  Variant variantOf(llvm::ArrayRef<size_t> Choice) const;

  std::vector<PassElement> Pipeline;
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  std::vector<Expression> Constraints;
  Environment Sizes;
  std::function<void(Variant &)> Finish;
};

/// The space that \p W writes down, with the defines that have more than one value as
/// its first dimensions; \p W.Space must be there. Errors of kind Input, with the
/// place in the file: a placeholder without a parameter, a parameter without a placeholder.
llvm::Expected<Space> spaceOf(const Workload &W);

/// A loop of a prepared kernel.
struct LoopFacts {
  unsigned Number = 0; ///< As loop= of the passes counts it, in source order, outer before inner.
  unsigned Depth = 1;  ///< 1 for an outermost loop.
  std::optional<uint64_t> TripCount; ///< Where it is a constant.
  bool ReadsTile = false;            ///< Global memory ahead of a barrier, and gpu-prefetch can take it.
  bool Jams = false;                 ///< gpu-unroll-and-jam can take it.
};

/// A buffer that all threads of a warp read at one place, and nobody writes.
struct UniformTable {
  unsigned Argument = 0; ///< From 0.
  uint64_t Bytes = 0;    ///< At the size to tune.
};

/// Grids that the author launches, in blocks.
struct LaunchGrids {
  Dim3 Tune;                ///< At the size to tune.
  std::vector<Dim3> Checks; ///< At the sizes to check.
};

/// What a space can be derived from.
struct KernelFacts {
  std::vector<LoopFacts> Loops;      ///< In source order.
  std::array<bool, 3> GridUsed = {}; ///< Dimensions with more than one block.
  bool HasSharedArrays = false;
  bool DependsOnWarps = false;        ///< Its threads cannot be coarsened.
  bool HasRaggedLoops = false;        ///< Loops whose bounds each thread reads from memory (RaggedLoops.h).
  bool ReusesLoads = false;           ///< Loops read what results of several blocks share (ReusedLoads.h).
  std::vector<UniformTable> Uniform;  ///< Buffers that a constant cache holds, all together.
  std::vector<std::string> Tables;    ///< __constant__ variables that hold more than the constant cache.
  Dim3 Block;                         ///< The author's, in threads.
  std::array<bool, 3> BlockFree = {}; ///< Where another extent is as good (Workload::blockIsFree()).
  /// Whether the kernel computes the same in blocks of that shape; null: in all that BlockFree allows.
  std::function<bool(const Dim3 &)> TakesBlock;
  std::vector<DefineSpec> Defines;
  /// With a variant's defines and block; null, or nothing of a variant: not known.
  std::function<std::optional<LaunchGrids>(const Variant &)> GridsOf;
};

/// A space for a kernel whose workload has none: its defines, block coarsening by 1, 2, 4
/// and 8 in each used grid dimension, coarsening of threads in one dimension of the block, shared layouts
/// where there are shared arrays, loops replica by replica where they are ragged, any grid where the factors
/// do not divide that of the size to tune or of no size to check, the memory of large tables and of small
/// buffers that are read uniformly, prefetching of loops that read tiles, jamming of loops that hold others,
/// unrolling of the innermost loops, register caps. A thread gets 64 results at most where they share what is
/// read, in shared arrays or in a loop, else 16. The menus are made shorter until there are at most \p
/// MaxVariants combinations of so many results, or until they are shortest.
Space deriveSpace(const KernelFacts &Facts, uint64_t MaxVariants = 2000);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SPACE_H
